"""Prints texts, one a line as JSON: random ones, and palindromes with something strewn in."""

import json
import random

chance = random.Random(2024)
letters = "abAB1é"
strewn = " ,.!-"

for number in range(200):
    half = "".join(chance.choice(letters) for _ in range(chance.randrange(8)))
    text = half + half[::-1] if number % 2 else half + chance.choice(letters)
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(strewn) + text[at:]
    print(json.dumps(text.swapcase() if number % 3 == 0 else text))
