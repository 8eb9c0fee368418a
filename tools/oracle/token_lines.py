#!/usr/bin/env python3
"""The lines that the tokenizer tests encode: prints 3200 of them, one a line, as hexadecimal bytes.

Prose in fourteen scripts, code, emoji sequences, runs of spaces and newlines, digits,
contractions, control tokens written out, invalid UTF-8 and long lines. Deterministic, and
standard library only, since the C++ tests run it too.
"""

import sys

PROSE = [
    # Latin
    "The harbour was quiet that morning, and nobody spoke of what they'd seen.",
    "It's 7:45 already; we'll miss the train unless you've packed, won't we?",
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich, sagte Jörg.",
    "Où est passée la clé de l'armoire? Elle était là, près du cœur de bœuf.",
    "El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia y frío; ¿añoraba?",
    "Příliš žluťoučký kůň úpěl ďábelské ódy, řekla babička u kamen.",
    "Đêm qua trời mưa rất to, nước ngập cả con đường trước nhà.",
    "Pijamalı hasta yağız şoföre çabucak güvendi; İstanbul'dan IĞDIR'a gittiler.",
    # Cyrillic, Greek, Armenian, Georgian
    "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "Вечером на станции было пусто, только ветер гонял листья.",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, είπε ο γέρος στο λιμάνι.",
    "Բարի լույս, այսօր եղանակը շատ լավ է։",
    "ბნელ ოთახში მხოლოდ ერთი სანთელი ენთო.",
    # Semitic
    "في الصباح الباكر خرج الصياد إلى البحر وعاد بسمكة كبيرة.",
    "בוקר טוב, האוטובוס הבא מגיע בעוד עשר דקות.",
    # Indic
    "कल रात बहुत बारिश हुई और सड़क पर पानी भर गया।",
    "আজ সকালে নদীর ধারে অনেক পাখি দেখা গেল।",
    "காலையில் கடைக்குச் சென்று பழங்கள் வாங்கினேன்.",
    # East Asian
    "昨天晚上下了一场大雨，街上的灯都灭了。",
    "駅前の喫茶店で、古い友人に十年ぶりに会いました。カタカナとｶﾀｶﾅ。",
    "아침 일찍 시장에 가서 싱싱한 생선을 샀습니다.",
    # Thai, Ethiopic
    "เมื่อวานนี้ฝนตกหนักมาก ถนนหน้าบ้านน้ำท่วม",
    "ዛሬ ጠዋት ገበያ ሄጄ ቡና ገዛሁ።",
]

CODE = [
    "for (int i = 0; i < n; ++i) { sum += a[i] * b[i]; }  // dot",
    "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n",
    "SELECT name, COUNT(*) FROM users WHERE age >= 21 GROUP BY name;",
    "#include <vector>\ntemplate <class T> using V = std::vector<T>;\n\n\n",
    "const x = (a ?? b)?.c?.[0] !== undefined ? `v=${a}` : null;",
    "\tif [ \"$x\" -eq 0 ]; then\n\t\techo \"zero\" >&2\n\tfi",
    "https://example.org/path/to?query=1&other=%20two#frag-3_x",
    "<div class=\"a-b\">\n  <p>&nbsp;text</p>\n</div>",
    "0xDEADBEEF 1e-10 3.14159 1_000_000 0b1011 .5 5. -0.0",
    "\\begin{equation} E = mc^2 \\label{eq:1} \\end{equation}",
]

EMOJI = [
    "😀", "👍🏽", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇫🇷🇯🇵", "❤️", "1️⃣", "🧑🏿‍🚀", "🫠", "⌚️", "☎", "👨🏻‍❤️‍💋‍👨🏿",
]

ODD = [
    "\u00a0", "\u2003", "\u3000", "\u0085", "\u180e", "\u200b", "\u200d", "\ufeff", "\u2028",
    "e\u0301", "\u0041\u030a", "\u1100\u1161", "\ufb01", "\u00bd", "\u2167", "\u0e50\u0e51",
    "\u0661\u0662\u0663", "\u4e09\u5341", "\U0001d54f", "\U00020bb7", "\u0000", "\u001b[0m", "\u007f",
]

CONTROL = [
    "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|begin_of_text|>", "<|", "|>",
    "<|startoftranscript|>", "<repo_name>", "<|en|>", "<|0.00|>",
]

SUFFIXES = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'T", "'RE", "'VE", "'LL", "’s", "'x"]

INVALID = [
    b"\xff", b"\xc3", b"\xc3\x28", b"\xe2\x82", b"\xe2\x28\xa1", b"\xf0\x9f\x98", b"\xed\xa0\x80",
    b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\x80\x80", b"\xfe\xfe", b"\xf8\x88\x80\x80\x80",
]


class Random:
    """A 64-bit linear congruential generator: the same on every Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n

    def pick(self, items):
        return items[self.below(len(items))]


def words(random):
    return random.pick(PROSE).split(" ")


def line(random, number):
    kind = number % 10
    if kind == 0:
        return random.pick(PROSE).encode()
    if kind == 1:
        mixed = [random.pick(words(random)) for _ in range(3 + random.below(12))]
        return " ".join(mixed).encode()
    if kind == 2:
        code = random.pick(CODE)
        cut = random.below(len(code))
        return (code[cut:] + random.pick(["", "\n", "\n\n", "  "]) + random.pick(CODE)[: 20 + cut]).encode()
    if kind == 3:
        return "".join(random.pick(EMOJI) + random.pick(["", "", " ", "a", "!"]) for _ in range(1 + random.below(8))).encode()
    if kind == 4:
        out = ""
        for _ in range(2 + random.below(6)):
            out += random.pick([" ", "\n", "\t", "\r\n", " \n", "\n ", "   "]) * (1 + random.below(9))
            out += random.pick(["", "x", "word", "7", ".", "é"])
        return out.encode()
    if kind == 5:
        digits = "".join(str(random.below(10)) for _ in range(1 + random.below(12)))
        return (random.pick(["", " ", "$", "v", "#", "~"]) + digits + random.pick(["", ".5", ",000", "%", "th", " km", "²"]) + random.pick(words(random))).encode()
    if kind == 6:
        out = "".join(random.pick(words(random)) + random.pick(SUFFIXES) + random.pick([" ", "", ", "]) for _ in range(4))
        return out.encode()
    if kind == 7:
        out = "".join(random.pick(ODD) + random.pick(["", " ", "a", "B", "9", "\n"]) for _ in range(1 + random.below(8)))
        return out.encode()
    if kind == 8:
        out = b""
        for _ in range(1 + random.below(4)):
            out += random.pick(words(random)).encode() + random.pick(INVALID)
        return out
    if number % 200 == 9:
        return (random.pick(["a", "ab ", " ", "\n", "é", "0", "漢", "!?", "\u0300"]) * (500 + random.below(1500))).encode()
    out = "".join(random.pick(["", "hi ", "x", "\n"]) + random.pick(CONTROL) for _ in range(1 + random.below(4)))
    return (out + random.pick(words(random))).encode()


def lines(count=3200):
    random = Random(20261201)
    return [line(random, number) for number in range(count)]


if __name__ == "__main__":
    for item in lines():
        sys.stdout.write(item.hex() + "\n")
