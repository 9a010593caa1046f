"""Passwords that anybody guesses are refused, and those that people should choose are not."""

import pytest

from events.accounts.passwords import LEAST, is_guessed, leaked

GUESSED = [
    "1234567890",
    "0987654321",
    "mnbvcxzlkjhg",
    "qwertyuiop",
    "qwertzuiop",
    "1q2w3e4r5t",
    "1qaz2wsx3edc",
    "password12",
    "Password123",
    "p@ssw0rd123",
    "passw0rd!!!",
    "iloveyou12",
    "iloveyou!!!",
    "football12",
    "baseball12",
    "basketball",
    "butterfly1",
    "chocolate1",
    "liverpool1",
    "metallica1",
    "elizabeth1",
    "aaaaaaaaaa",
    "abcabcabcabc",
    "asdfasdfasdf",
    "asdfghjkl;",
    "123456789a",
    "a123456789",
    "12345qwert",
    "qwert12345",
    "1111111111",
    "5555555555",
    "q1w2e3r4t5y6",
    "123qweasdzxc",
    "qwerty123456",
    "123456qwerty",
    "zxcvbnm123",
    "0123456789",
    "abcdefghij",
    "welcome2026",
    "Sommer2026!",
    "spiderman1",
    "superman123",
    "123456654321",
    "1029384756",
    "3141592653589",
    "password01",
    "monkey1234",
    "dragon1234",
    "starwars77",
    "letmein1234",
    "trustno1trustno1",
    "changeme123",
    "administrator",
    "Overseer2026",
    "Warhammer40k",
    "qwertyuiop[]",
    "1234567891",
    "qazwsxedcrfv",
    "147258369147",
    "poiuytrewq",
    "christopher",
    "barcelona1",
    "babygirl12",
    "poiuytrewq7#",
    "asd#qwe#zxc7",
    "qwe#rty#uio7",
    "passwordgqk",
    "kzqhqkhzkq",
    "8305162947",
    "gqkzhgqkzhg",
]
GOOD = [
    "correct horse battery", "three old lamps", "drei alte Lampen", "x7#kQ!2mPz", "tin helmet under rain",
    "ΑλεπούΚαφέΒροχή", "Der Bus war spät", "vault door 1982 squeak", "gqkzhvmtre", "my dog likes Tuesdays",
    "passwordgqkz", "kzqhgqkhzg", "klopnmopkl", "7#2%9&6(8)",
]  # fmt: skip


@pytest.mark.proves("ASVS 6.2.4")
@pytest.mark.parametrize("password", GUESSED)
def test_a_password_that_is_guessed_first_is_known(password: str) -> None:
    assert is_guessed(password)


@pytest.mark.parametrize("password", GOOD)
def test_a_password_of_ones_own_is_taken(password: str) -> None:
    assert not is_guessed(password, "Olga Petrova")


@pytest.mark.proves("ASVS 6.2.4")
@pytest.mark.parametrize("password", ["Olga Petrova", "olgapetrova1", "petrova2026", "OLGA-olga-1", "olgapassword"])
def test_one_s_own_name_is_no_password(password: str) -> None:
    assert is_guessed(password, "Olga Petrova")


@pytest.mark.proves("ASVS 6.2.12")
@pytest.mark.parametrize("password", ["ghjcnjabkz", "3rjs1la7qe", "NewOrleans", "01telemike01", "hd764nw5d7e1vb1"])
def test_what_leaks_hold_often_is_refused_though_no_rule_knows_it(password: str) -> None:
    assert is_guessed(password)
    assert not is_guessed(password[::-1] + "#"), "the control: its letters alone are no reason"
    assert len(leaked()) > 1000


def test_it_takes_no_time(password: str = "a" * 199 + "b") -> None:
    for odd in (password, "ab" * 100, "\U0001f600" * 200, "qwert" * 40, "0" * 100 + "x" * 100):
        is_guessed(odd, odd[:80])


def test_of_leaked_ones_all_are_known_that_may_be_chosen_here() -> None:
    leaked.cache_clear()  # read anew
    assert min(map(len, leaked())) == LEAST
