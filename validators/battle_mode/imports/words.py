"""The words of lists that are no names: one table of meanings in the six languages in which lists are written."""

from collections.abc import Iterator
from functools import cache

from validators.names import PLAIN, loose

LANGUAGES = ("en", "de", "fr", "es", "pl", "it")
"""The columns of ``_TABLE``."""

_TABLE = """
with | with, w, carrying, armed with, equipped with, has, have, having, incl, including, wearing | mit, inkl, samt, trägt, bewaffnet mit | avec, équipé de, équipée de, armé de, armée de, porte | con, lleva, equipado con, armado con | z, ze, wraz z, uzbrojony w | con, porta, equipaggiato con, armato di
and | and, plus, also, as well as | und, sowie, auch | et, ainsi que, aussi | y, e, también | i, oraz, też | e, ed, anche
leader | leader, ldr, lead, leads, is leading | anführer, anführerin, führt | chef, cheffe, meneur, meneuse | líder, jefe, jefa | dowódca, lider, przywódca, dowodzi | capo, comandante
is | is, as, as the, will be | ist, als | est, comme | es, como | jest, jako | è, come
heroic | heroic, hero | heldenhaft, held, heldin, heroisch | héroïque, héros | heroico, heroica, héroe | heroiczny, heroiczna, bohater | eroico, eroica, eroe
card | leader card, leadercard, leader perk | anführerkarte, anführer karte, leader karte | carte de chef, carte chef, carte de leader, carte leader | carta de líder, carta líder, carta de jefe, carta jefe | karta dowódcy, karta lidera | carta leader, carta del leader, carta capo, carta del capo
total | total, totals, sum, list total, grand total, army total, total cost, altogether, total caps used, used, spent | summe, gesamt, insgesamt, gesamtkosten, gesamtsumme | total, somme, en tout, coût total | total, suma, en total, coste total | razem, suma, łącznie, w sumie | totale, somma, in totale, costo totale
caps | caps, cap, c, cp, pts, pt, point, points | kappen, kronkorken, punkte, punkt, pkt | capsules, capsule, points | chapas, chapa, puntos, punto | kapsli, kapsle, kapsel, punktów, punkty, pkt | tappi, tappo, punti, punto
costs | cost, costs, price, worth, for | kosten, kostet, für | coût, coûte, prix, pour | coste, cuesta, precio, por | koszt, kosztuje, za | costo, costa, prezzo, per
each | each, ea, apiece, per model, a piece, all, both, every | je, jeweils, pro modell, alle, beide | chacun, chacune, tous, toutes, par figurine | cada uno, cada una, cada, todos, todas, ambos | każdy, każda, każde, wszyscy, wszystkie, po | ciascuno, ciascuna, ognuno, ognuna, tutti, tutte, entrambi
them | of them, of these, of those, models, model, figures, minis | von ihnen, davon, modelle, modell, figuren | d'entre eux, figurines, figurine, modèles, modèle | de ellos, de ellas, miniaturas, miniatura, modelos, modelo | z nich, modele, modeli, figurki, figurek | di loro, modelli, modello, miniature, miniatura
rest | the other, the others, other, others, the rest, rest | der andere, die anderen, der rest | l'autre, les autres, le reste | el otro, los otros, el resto, los demás | drugi, pozostali, reszta | l'altro, gli altri, il resto
without | no, not, without, w o | kein, keine, keinen, keiner, ohne, nicht | sans, pas de, aucun, aucune | sin, ningún, ninguna | bez, nie, żadnej | senza, nessun, nessuna, non
unarmed | unarmed, nothing, none, bare | unbewaffnet, nichts, keine waffen | désarmé, désarmés, rien, sans arme | desarmado, desarmados, nada, sin armas | nieuzbrojony, nieuzbrojeni, bez broni, nic | disarmato, disarmati, niente, senza armi
usual | usual weapons, usual weapon, usual equipment, usual gear, as usual, usual, default weapons, default equipment, default, standard weapons, standard equipment, standard gear, standard | übliche waffen, übliche ausrüstung, wie üblich, standardwaffen, standardausrüstung | armes habituelles, équipement habituel, équipement standard | armas habituales, equipo habitual, equipo estándar | zwykła broń, zwykłe wyposażenie, standardowa broń, standardowe wyposażenie | armi abituali, equipaggiamento abituale, equipaggiamento standard
reserve | bench, reserve, reserves, not taken, left out, left at home, not in the list, not in list, not fielded, unused, maybe, perhaps, sideboard | ersatzbank, reserve, nicht dabei, nicht in der liste, zu hause, vielleicht | réserve, réserves, remplaçants, pas dans la liste, peut-être | reserva, reservas, banquillo, fuera de la lista, quizás, quizá | rezerwa, rezerwy, ławka, nie w liście, poza listą, może | riserva, riserve, panchina, fuori lista, forse
or | or, either, alternatively, option, options | oder, entweder, wahlweise | ou, ou bien, soit | o, u, o bien | lub, albo | o, oppure
instead | instead of, instead, rather than, replaces, replacing, swap, swapped for, in place of | statt, anstatt, anstelle, ersetzt | au lieu de, à la place de, remplace | en vez de, en lugar de, reemplaza | zamiast | invece di, al posto di, sostituisce
left | under, over, left, remaining, to spare, spare | unter, über, übrig | restant, restants, reste | restante, restantes, sobran | zostało, pozostało | rimanenti, avanzano
column name | model, models, name, unit, units, miniature | modell, name, einheit | modèle, figurine, nom, unité | modelo, nombre, unidad, miniatura | model, nazwa, jednostka, figurka | modello, nome, unità, miniatura
column copies | count, qty, quantity, number, amount, no, # | anzahl, menge | nombre, quantité | cantidad, número | liczba, ilość | quantità, numero
column leader | leader, is leader | anführer | chef | líder, jefe | dowódca | capo
column parts | items, item, equipment, gear, weapons, upgrades, options, loadout, perks, mods | ausrüstung, waffen, gegenstände | équipement, armes, objets | equipo, armas, objetos | wyposażenie, broń, przedmioty | equipaggiamento, armi, oggetti
column caps | caps, cost, points, pts, price, total | kappen, kosten, punkte, preis | capsules, coût, points, prix | chapas, coste, puntos, precio | kapsle, koszt, punkty, cena | tappi, costo, punti, prezzo
size | up to, limit, max, maximum, size, game size, game, caps limit | bis, bis zu, maximal, größe, limit | jusqu'à, taille, limite, partie | hasta, tamaño, límite, partida | do, limit, rozmiar | fino a, dimensione, limite, partita
heading | weapons, weapon, equipment, items, item, gear, wargear, perks, perk, mods, mod, upgrades, units, unit, troops, characters, character, char, heroes, unique units, unique, leader cards, leaders, carries, carried, extras, core, special, configuration, battle mode, roster, army roster, list, lists, army list, army, force, faction, faction keyword, force list, team, warband, crew, total army points | waffen, waffe, ausrüstung, gegenstände, gegenstand, vorteile, mods, einheiten, einheit, truppen, charaktere, liste, armeeliste, armee, fraktion, trupp | armes, arme, équipement, objets, atouts, unités, unité, troupes, personnages, liste, armée, faction, bande | armas, arma, equipo, objetos, ventajas, unidades, unidad, tropas, personajes, lista, ejército, facción, banda | broń, bronie, wyposażenie, przedmioty, atuty, jednostki, jednostka, oddziały, postacie, lista, armia, frakcja, drużyna | armi, arma, equipaggiamento, oggetti, vantaggi, unità, truppe, personaggi, lista, esercito, fazione, banda
filler | the, a, an, my, our, this, here, for, of, on, to, at, in, by, new, is my, here is, here's | der, die, das, den, dem, ein, eine, einen, mein, meine, unsere, für, von, im, am | le, la, les, un, une, mon, ma, mes, des, du, de, d, voici, ma liste | el, la, los, las, un, una, mi, mis, de, del, para | moja, mój, moje, na, to | il, lo, la, gli, le, un, una, uno, mio, mia, di, del, della, dei
footer | sent from, created with, made with, page, cheers, thanks, thank you, good luck, see you, regards, kind regards, greetings, have fun, hi, hello, hi all, dear, subject, from | gesendet von, erstellt mit, seite, grüße, viele grüße, liebe grüße, danke, viel glück, bis dann, bis samstag, hallo, betreff | envoyé de, envoyé depuis, merci, bonne chance, à bientôt, cordialement, bonjour, salut | enviado desde, gracias, saludos, suerte, buena suerte, hasta luego, hola | wysłano z, wysłane z, pozdrawiam, pozdrowienia, dzięki, powodzenia, cześć, strona | inviato da, grazie, saluti, buona fortuna, a presto, ciao
number 1 | one | eins, ein, eine | un, une | uno, una | jeden, jedna | uno, una
number 2 | two, a pair of, pair of, twice | zwei, zwo, ein paar | deux, une paire de | dos, un par de | dwa, dwie, dwóch, dwaj, para | due, una coppia di, un paio di
number 3 | three | drei | trois | tres | trzy, trzech, trzej, troje | tre
number 4 | four | vier | quatre | cuatro | cztery, czterech, czterej | quattro
number 5 | five | fünf | cinq | cinco | pięć, pięciu | cinque
number 6 | six | sechs | six | seis | sześć, sześciu | sei
number 7 | seven | sieben | sept | siete | siedem, siedmiu | sette
number 8 | eight | acht | huit | ocho | osiem, ośmiu | otto
number 9 | nine | neun | neuf | nueve | dziewięć, dziewięciu | nove
number 10 | ten | zehn | dix | diez | dziesięć, dziesięciu | dieci
number 12 | twelve, a dozen, dozen | zwölf, ein dutzend | douze, une douzaine de | doce, una docena de | dwanaście, tuzin | dodici, una dozzina di
faction Survivors | survivor | Überlebende, Überlebenden | Survivants | Supervivientes | Ocaleni, Ocalali | Sopravvissuti
faction Brotherhood of Steel | Brotherhood | Stählerne Bruderschaft, Bruderschaft | Confrérie de l'Acier, Confrérie | Hermandad del Acero, Hermandad | Bractwo Stali, Bractwo | Confraternita d'Acciaio, Confraternita
faction Super Mutants | SM, Mutants | Supermutanten | Super-mutants | Supermutantes | Supermutanci | Supermutanti, Super mutanti
faction Raiders | raider gang | Plünderer | Pillards | Saqueadores | Bandyci | Predoni
faction Institute | the institute | Institut | Institut | Instituto | Instytut | Istituto
faction Legion | Caesar's Legion | Cäsars Legion | Légion de César, Légion | Legión de César, Legión | Legion Cezara | Legione di Cesare, Legione
faction Children of Atom | CoA, Children of the Atom | Kinder Atoms, Kinder des Atoms | Enfants de l'Atome | Hijos de Átomo, Hijos del Átomo | Dzieci Atomu | Figli dell'Atomo
faction Robots | robot | Roboter | Robots | Robots | Roboty | Robot
faction Creatures | wasteland creatures, creature | Kreaturen | Créatures | Criaturas | Stworzenia, Potwory | Creature
"""  # noqa: E501


def form(word: str) -> str:
    """A word or name for comparing: in small letters, without accents, punctuation, spaces and plural."""
    return loose(word.casefold().translate(PLAIN))


@cache
def meanings() -> dict[str, str]:
    """The meaning of each phrase of the table by its form; a phrase of two meanings has the first."""
    table: dict[str, str] = {}
    for phrase, meaning in phrases():
        if not meaning.startswith(_COLUMN):
            table.setdefault(form(phrase), meaning)
    return table


_COLUMN = "column "


@cache
def columns() -> dict[str, str]:
    """What a column of a table holds, by its heading: "name", "copies", "leader", "parts", "caps"."""
    return {form(phrase): meaning.removeprefix(_COLUMN) for phrase, meaning in phrases() if _COLUMN in meaning}


def phrases() -> Iterator[tuple[str, str]]:
    for row in _TABLE.strip().splitlines():
        meaning, *columns = row.split(" | ")
        for column in columns:
            yield from ((phrase.strip(), meaning) for phrase in column.split(","))
