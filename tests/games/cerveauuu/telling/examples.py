"""Events of Cerveauuu! with the sentences that tell them, in English, French and Polish."""

from __future__ import annotations

from events.kernel import Event
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts import zombie_events as more
from games.cerveauuu.model.language import Pieces
from games.cerveauuu.model.state import ArmedTrigger, Modifier, Proposal, State, TypeBan, YieldOrder

SEEN = State(hands={1: {3: "c031", 4: "c080"}, 2: {5: None}})
"""What seat 1 knows of the hands."""

EXAMPLES: list[tuple[Event, str, str, str]] = [
    (
        cards.CardDrawn(seat=1, number=3, card="c031"),
        "Player 1 draws a card (no. 3): Rifle.",
        "Player 1 pioche une carte (nº\xa03) : Carabine.",
        "Player 1 dobiera kartę (nr 3): Karabin.",
    ),
    (
        cards.CardDrawn(seat=1, number=3),
        "Player 1 draws a card (no. 3).",
        "Player 1 pioche une carte (nº\xa03).",
        "Player 1 dobiera kartę (nr 3).",
    ),
    (
        cards.CardDrawn(seat=1, credits="c003"),
        "Player 1 draws an end-credits card: The bridges are blown.",
        "Player 1 pioche un générique de fin : Les ponts ont sauté.",
        "Player 1 dobiera kartę napisów końcowych: Mosty wysadzone.",
    ),
    (
        cards.HandDealt(seat=2, numbers=(1, 2)),
        "Player 2 begins with these cards in hand: no. 1, no. 2.",
        "Player 2 commence avec ces cartes en main : nº\xa01, nº\xa02.",
        "Player 2 zaczyna z tymi kartami na ręce: nr\xa01, nr\xa02.",
    ),
    (
        cards.HandDealt(seat=2, numbers=(1, 2), cards=("c031", "c080")),
        "Player 2 begins with these cards in hand: Rifle and Whistle.",
        "Player 2 commence avec ces cartes en main : Carabine et Sifflet.",
        "Player 2 zaczyna z tymi kartami na ręce: Karabin i Gwizdek.",
    ),
    (
        cards.AnswerGiven(seat=1, choice="play.k3.2.h04.z01"),
        "Player 1 answers with Rifle (no. 3) on human 4 and zombie 1.",
        "Player 1 répond par Carabine (nº\xa03) en visant humain 4 et zombie 1.",
        "Player 1 odpowiada kartą Karabin (nr 3); jej cel to człowiek 4 i zombie 1.",
    ),
    (
        cards.AnswerGiven(seat=1, choice="pass"),
        "Player 1 answers by passing.",
        "Player 1 répond en passant.",
        "Player 1 odpowiada pasem.",
    ),
    (
        cards.AnswerGiven(seat=1),
        "Player 1 has answered.",
        "Player 1 a répondu.",
        "Player 1 daje odpowiedź.",
    ),
    (
        cards.CardPlayed(seat=1, number=3, card="c074", choice="play.k3.0.r5c3s", anchor=0),
        "Player 1 plays Planks and nails (no. 3) on r5c3/r6c3, before the first step.",
        "Player 1 joue Planches et clous (nº\xa03) en visant r5c3/r6c3, avant le premier pas.",
        (
            "Player 1 zagrywa przed pierwszym krokiem kartę Deski i gwoździe (nr 3); "
            "jej cel to r5c3/r6c3."
        ),
    ),
    (
        cards.CardPlayed(seat=1, number=3, card="c040", choice="play.k3.z01.k2-k5"),
        "Player 1 plays Police sniper (no. 3) on zombie 1, dropping no. 2 and no. 5.",
        (
            "Player 1 joue Tireur d’élite de la police (nº\xa03) en visant zombie 1, "
            "et défausse nº\xa02 et nº\xa05."
        ),
        (
            "Player 1 zagrywa kartę Policyjny snajper (nr 3); jej cel to zombie 1; "
            "odrzuca przy tym nr 2 i nr 5."
        ),
    ),
    (
        cards.CardPlayed(seat=1, number=3, card="c013", choice="play.k3", weather=True),
        "Player 1 plays Full moon (no. 3); this is the weather now.",
        "Player 1 joue Pleine lune (nº\xa03) ; c’est maintenant la météo.",
        "Player 1 zagrywa kartę Pełnia księżyca (nr 3); taka jest teraz pogoda.",
    ),
    (
        cards.CardTaken(seat=2, number=5, taker=1, taker_number=6),
        "By chance, Player 1 takes a card of Player 2 (no. 5, now no. 6).",
        "Au hasard, Player 1 prend une carte à Player 2 (nº\xa05, désormais nº\xa06).",
        "Player 1 losuje kartę z ręki gracza Player 2 (nr 5, teraz nr 6).",
    ),
    (
        cards.HandSeen(seat=1, owner=2, cards={5: "c031"}),
        "Player 1 looks at the hand of Player 2: no. 5 Rifle.",
        "Player 1 regarde la main que tient Player 2 : nº\xa05 Carabine.",
        "Player 1 ogląda karty gracza Player 2: nr\xa05 Karabin.",
    ),
    (
        cards.DiscardChosen(seat=1, numbers=(3, 4)),
        "Player 1 has chosen what to discard: Rifle and Whistle.",
        "Player 1 a choisi ses défausses : Carabine et Sifflet.",
        "Player 1 wybiera karty do odrzucenia: Karabin i Gwizdek.",
    ),
    (
        cards.DiscardsJudged(cards={1: {3: "c031", 4: "c080"}, 2: {5: "c109"}}),
        "At the end of the round, Player 1 discards Rifle, Whistle; Player 2 discards Stumble.",
        "À la fin du tour, Player 1 défausse Carabine, Sifflet ; Player 2 défausse Faux pas.",
        "Na koniec rundy Player 1 odrzuca Karabin, Gwizdek; Player 2 odrzuca Potknięcie.",
    ),
    (
        cards.YieldChosen(seat=1, order=YieldOrder("round", deep=True)),
        (
            "Player 1 announces a standing pass: “pass for the whole round, even if others play "
            "cards”."
        ),
        (
            "Player 1 annonce une passe d’office : « passer pendant tout le tour, "
            "même si d’autres jouent des cartes »."
        ),
        "Player 1 ogłasza stały pas: „pasować przez całą rundę, nawet gdy inni zagrywają karty”.",
    ),
    (
        cards.VersionBegan(version=2, trigger=1, order=(2, 1), passed={1: "hand"}),
        (
            "Everybody may answer once more in the order Player 2 and Player 1; Player 1 passes "
            "automatically (no card in hand)."
        ),
        (
            "Chacun peut répondre encore une fois dans l’ordre Player 2 et Player 1 ; Player 1 "
            "passe automatiquement (main vide)."
        ),
        (
            "Wszyscy mogą odpowiedzieć jeszcze raz w kolejności Player 2 i Player 1; Player 1 "
            "pasuje automatycznie (pusta ręka)."
        ),
    ),
    (
        cards.ModifierAdded(
            modifier=Modifier("c013", "combat", "weather", value=1, area=Pieces("Z"))
        ),
        "Full moon takes effect for all zombies: combat +1, as long as this weather lasts.",
        "Pleine lune agit pour tous les zombies : force +1, tant que dure cette météo.",
        "Karta Pełnia księżyca działa (wszystkie zombie): siła +1, dopóki trwa ta pogoda.",
    ),
    (
        cards.ModifierAdded(
            modifier=Modifier("c083", "move", "round", absolute=True, pieces=("h01",))
        ),
        "Superglue takes effect for human 1: move = 0, until the end of the round.",
        "Superglu agit pour humain 1 : déplacement = 0, jusqu’à la fin du tour.",
        "Karta Superklej działa (człowiek 1): ruch = 0, do końca rundy.",
    ),
    (
        cards.ModifierAdded(
            modifier=Modifier("c010", "move", "weather", value=-1, area=Pieces("X", ("out",)))
        ),
        (
            "Driving rain takes effect for everybody outdoors: move \u22121, as long as this "
            "weather lasts."
        ),
        (
            "Pluie battante agit pour tout le monde à l’extérieur : déplacement \u22121, tant que "
            "dure cette météo."
        ),
        "Karta Ulewa działa (wszyscy na zewnątrz): ruch \u22121, dopóki trwa ta pogoda.",
    ),
    (
        cards.BanAdded(ban=TypeBan("c014", "firearm", "weather")),
        "Thunderstorm forbids cards of the type Firearm, as long as this weather lasts.",
        "Orage interdit les cartes du type Arme à feu, tant que dure cette météo.",
        "Karta Burza z piorunami zakazuje kart rodzaju Broń palna, dopóki trwa ta pogoda.",
    ),
    (
        cards.TriggerFired(
            trigger=ArmedTrigger("c089", 0, 1, "wins", ("z01",), ("z01",), "combat")
        ),
        "Captain of the pom-pom squad takes effect: zombie 1 wins.",
        "Capitaine des pom-pom girls prend effet : zombie 1 gagne.",
        "Kapitanka cheerleaderek działa: zombie 1 wygrywa.",
    ),
    (
        ev.SituationSet(round=2, pieces=()),
        "The scenario begins in round 2, with 0 pieces on the board.",
        "Le scénario commence au tour 2, avec 0 pions sur le plateau.",
        "Scenariusz zaczyna się w rundzie 2, a pionków na planszy jest 0.",
    ),
    (
        ev.SeatWithdrew(seat=1),
        "Player 1 plays no more; the zombies stay where they are.",
        "Player 1 ne joue plus ; ses zombies restent sur place.",
        "Player 1 już nie gra; zombie zostają na swoich miejscach.",
    ),
    (
        ev.ExitDemanded(piece="z01", must_leave=True),
        "Zombie 1 must leave its impassable cell with its next movement.",
        "Zombie 1 doit quitter sa case infranchissable à son prochain mouvement.",
        "Z pola nie do przejścia zombie 1 musi zejść następnym ruchem.",
    ),
    (
        ev.ExitDemanded(piece="z01", must_leave=False),
        "Zombie 1 no longer has to leave its cell.",
        "Zombie 1 n’a plus à quitter sa case.",
        "Teraz zombie 1 nie musi już schodzić z pola.",
    ),
    (
        ev.ZombieReadied(piece="z01"),
        "Zombie 1 may act once more.",
        "Zombie 1 peut agir de nouveau.",
        "Zombie 1 może działać jeszcze raz.",
    ),
    (
        ev.PieceAppeared(piece="z04", cell="r0c3", controller=2, blocked=True),
        "Zombie 4 of Player 2 comes to r0c3, blocked.",
        "Zombie 4, bloqué, arrive en r0c3 pour Player 2.",
        "Na polu r0c3 pojawia się zombie 4 (Player 2), zablokowane.",
    ),
    (
        ev.EdgeChanged(edge="r2c10e", state="breach", lasts="lasting"),
        "There is a breach at r2c10/r2c11, for the rest of the game.",
        "Il y a une brèche en r2c10/r2c11, jusqu’à la fin de la partie.",
        "Między polami r2c10/r2c11 jest wyłom, do końca gry.",
    ),
    (
        ev.ScoreChanged(seat=2, points=-1),
        "The score changes by \u22121 for Player 2.",
        "Le score change de \u22121 pour Player 2.",
        "Wynik gracza Player 2 zmienia się o \u22121.",
    ),
    (
        more.ZombieActivated(zombie="z03", path=("r4c4", "r5c4"), attack="h02"),
        "Zombie 3 sets out for r5c4, to attack human 2.",
        "Zombie 3 part vers r5c4, pour attaquer humain 2.",
        "Zombie 3 rusza na r5c4, by zaatakować: człowiek 2.",
    ),
    (
        more.ZombieActivated(zombie="z03"),
        "Zombie 3 stays where it is.",
        "Zombie 3 reste sur place.",
        "Zombie 3 zostaje na miejscu.",
    ),
    (
        more.SupportProposed(proposal=Proposal(("z05",), {"h01": "z03", "h02": "z05"})),
        (
            "The call for support goes to zombie 5; the victims would be human 1 for zombie 3, "
            "human 2 for zombie 5."
        ),
        (
            "L’appel au soutien va à zombie 5 ; les victimes seraient humain 1 pour zombie 3, "
            "humain 2 pour zombie 5."
        ),
        (
            "Prośba o wsparcie trafia do: zombie 5; ofiarami byliby człowiek 1 dla zombie 3, "
            "człowiek 2 dla zombie 5."
        ),
    ),
    (
        more.ConsentGiven(seat=2, accepts=False),
        "Player 2 wants to decline the proposal.",
        "Player 2 veut refuser la proposition.",
        "Player 2 chce odrzucić propozycję.",
    ),
    (
        more.ConsentGiven(seat=2),
        "Player 2 has answered the proposal.",
        "Player 2 a répondu à la proposition.",
        "Player 2 odpowiada na propozycję.",
    ),
    (
        more.HumanEaten(seat=1, human="h04", eater="z03", zombie="z07"),
        "Zombie 3 eats human 4: a point for Player 1; zombie 7 now stands there, blocked.",
        (
            "Zombie 3 dévore humain 4 : un point pour Player 1 ; "
            "zombie 7 s’y dresse maintenant, bloqué."
        ),
        (
            "Zombie 3 zjada: człowiek 4; punkt dla gracza Player 1; stoi tam teraz zombie 7, "
            "do końca rundy bez ruchu."
        ),
    ),
]
"""Events as their readers have them; nothing of a play is known but ``SEEN``."""
