#pragma once
// A small plan as another compiler might write it: compact, fields in another order,
// unknown fields, no extensions.

namespace linnet::test {

/// A block `Scale` with a weight and a state, an op with a contraction, an entry that
/// loops; `root` is `Scale`.
inline constexpr const char* sample_plan = R"json({
"version": 1, "generator": "another compiler 7", "module": "demo.scale",
"root": {"name":"Scale","constraints":[],"generics":[
  {"name":"H","kind":"dim","sym":0,"default":{"dim":4}},
  {"name":"T","kind":"dtype","var":0,"class":"float","default":{"dtype":"bf16"}}]},
"manifest": [
  {"path":"weight","kind":"param","dtype":{"var":0,"name":"T"},
   "shape":[{"sym":0,"name":"H"},{"sym":0,"name":"H"}],"repeat":[],"optional":false},
  {"path":"last","kind":"state","dtype":{"var":0,"name":"T"},
   "shape":[{"sym":0,"name":"H"}],"repeat":[],"optional":false}],
"blocks": {"Scale":{"module":"demo.scale","pub":true,"note":[1,2,{"deep":[[]]}],
  "generics":[{"name":"H","kind":"dim","sym":0,"default":{"dim":4}},
              {"name":"T","kind":"dtype","var":0,"class":"float"}],
  "constraints":[{"relation":">","lhs":{"sym":0,"name":"H"},"rhs":0}],
  "members":[
   {"name":"weight","kind":"param","type":{"kind":"tensor","dtype":{"var":0,"name":"T"},
     "shape":[{"sym":0,"name":"H"},{"sym":0,"name":"H"}]}},
   {"name":"last","kind":"state","type":{"kind":"tensor","dtype":{"var":0,"name":"T"},
     "shape":[{"sym":0,"name":"H"}]}}]}},
"functions": [
 {"name":"demo.scale::apply","kind":"op","block":null,"pub":false,
  "generics":[{"name":"S","kind":"shape","sym":1},{"name":"N","kind":"dim","sym":2},
              {"name":"U","kind":"dtype","var":1,"class":"numeric"}],
  "constraints":[],"states":[],
  "results":[{"kind":"tensor","shape":[{"pack":1,"name":"S"},{"sym":2,"name":"N"}],
              "dtype":{"var":1,"name":"U"}}],
  "body":{"args":[
    {"id":0,"name":"x","type":{"kind":"tensor","dtype":{"var":1,"name":"U"},
      "shape":[{"pack":1,"name":"S"},{"sym":2,"name":"N"}]}},
    {"id":1,"name":"w","type":{"kind":"tensor","dtype":{"var":1,"name":"U"},
      "shape":[{"sym":2,"name":"N"},{"sym":2,"name":"N"}]}}],
   "ops":[
    {"kind":"comprehension","operands":[],
     "results":[{"id":2,"name":"y","type":{"kind":"tensor","dtype":{"var":1,"name":"U"},
       "shape":[{"pack":1,"name":"S"},{"sym":2,"name":"N"}]}}],
     "attrs":{"indices":[{"name":"s","domain":[{"pack":1,"name":"S"}]},
                         {"name":"o","domain":[{"sym":2,"name":"N"}]}]},
     "regions":[{"args":[
        {"id":3,"name":"s","type":{"kind":"shape","shape":[{"pack":1,"name":"S"}]}},
        {"id":4,"name":"o","type":{"kind":"scalar","dtype":"i64"}}],
       "ops":[
        {"kind":"reduce","operands":[],
         "results":[{"id":5,"name":"","type":{"kind":"scalar","dtype":{"var":1,"name":"U"}}}],
         "attrs":{"reduce":"sum","indices":[{"name":"i","domain":[{"sym":2,"name":"N"}]}]},
         "regions":[{"args":[{"id":6,"name":"i","type":{"kind":"scalar","dtype":"i64"}}],
          "ops":[
           {"kind":"tensor.element","operands":[0,3,6],"attrs":{},"regions":[],
            "results":[{"id":7,"name":"a b","type":{"kind":"scalar","dtype":{"var":1,"name":"U"}}}]},
           {"kind":"tensor.element","operands":[1,4,6],"attrs":{},"regions":[],
            "results":[{"id":8,"name":"","type":{"kind":"scalar","dtype":{"var":1,"name":"U"}}}]},
           {"kind":"mul","operands":[7,8],"attrs":{},"regions":[],
            "results":[{"id":9,"name":"","type":{"kind":"scalar","dtype":{"var":1,"name":"U"}}}]},
           {"kind":"yield","operands":[9],"results":[],"attrs":{},"regions":[]}]}]},
        {"kind":"yield","operands":[5],"results":[],"attrs":{},"regions":[]}]}]},
    {"kind":"return","operands":[2],"results":[],"attrs":{},"regions":[]}]}},
 {"name":"demo.scale::Scale.step","kind":"entry","block":"Scale","pub":true,
  "generics":[],"constraints":[],"states":["last"],
  "results":[{"kind":"tensor","shape":[{"sym":0,"name":"H"}],"dtype":{"var":0,"name":"T"}}],
  "body":{"args":[
    {"id":20,"name":"","type":{"kind":"block","name":"Scale","module":"demo.scale",
      "args":[{"dim":{"sym":0,"name":"H"}},{"dtype":{"var":0,"name":"T"}}]}}],
   "ops":[
    {"kind":"block.param","operands":[20],"attrs":{"name":"weight"},"regions":[],
     "results":[{"id":21,"name":"weight","type":{"kind":"tensor","dtype":{"var":0,"name":"T"},
       "shape":[{"sym":0,"name":"H"},{"sym":0,"name":"H"}]}}]},
    {"kind":"state.read","operands":[20],"attrs":{"name":"last"},"regions":[],
     "results":[{"id":22,"name":"last","type":{"kind":"tensor","dtype":{"var":0,"name":"T"},
       "shape":[{"sym":0,"name":"H"}]}}]},
    {"kind":"const.int","operands":[],"attrs":{"value":0},"regions":[],
     "results":[{"id":23,"name":"","type":{"kind":"scalar","dtype":"i64"}}]},
    {"kind":"const.dim","operands":[],
     "attrs":{"value":{"op":"floordiv","args":[{"sym":0,"name":"H"},2]}},"regions":[],
     "results":[{"id":24,"name":"","type":{"kind":"scalar","dtype":"i64"}}]},
    {"kind":"for","operands":[23,24,22],"attrs":{},
     "results":[{"id":25,"name":"x","type":{"kind":"tensor","dtype":{"var":0,"name":"T"},
       "shape":[{"sym":0,"name":"H"}]}}],
     "regions":[{"args":[
        {"id":26,"name":"i","type":{"kind":"scalar","dtype":"i64"}},
        {"id":27,"name":"x","type":{"kind":"tensor","dtype":{"var":0,"name":"T"},
          "shape":[{"sym":0,"name":"H"}]}}],
      "ops":[
       {"kind":"semantic.call","operands":[27,21],"regions":[],
        "attrs":{"callee":"demo.scale::apply","selected":null,
         "substitution":{"dims":{"2":{"sym":0,"name":"H"}},"packs":{"1":[]},
                         "dtypes":{"1":{"var":0,"name":"T"}}},
         "generics":[{"shape":[]},{"dim":{"sym":0,"name":"H"}},{"dtype":{"var":0,"name":"T"}}]},
        "results":[{"id":28,"name":"","type":{"kind":"tensor","dtype":{"var":0,"name":"T"},
          "shape":[{"sym":0,"name":"H"}]}}]},
       {"kind":"yield","operands":[28],"results":[],"attrs":{},"regions":[]}]}]},
    {"kind":"state.write","operands":[20,25],"attrs":{"name":"last"},"regions":[],"results":[]},
    {"kind":"return","operands":[25],"results":[],"attrs":{},"regions":[]}]}}],
"constants": [{"name":"demo.scale::EPS","pub":false,"contextual":false,
  "type":{"kind":"scalar","dtype":"f32"},
  "body":{"args":[],"ops":[
   {"kind":"const.float","operands":[],"attrs":{"value":1e-05},"regions":[],
    "results":[{"id":40,"name":"","type":{"kind":"scalar","dtype":"f32"}}]},
   {"kind":"yield","operands":[40],"results":[],"attrs":{},"regions":[]}]}}]
})json";

}  // namespace linnet::test
