package text

import "strings"

// use is how an abbreviation stands in a sentence.
type use uint8

const (
	_ use = iota // not an abbreviation
	// inner: something always follows it ("Dr.", "e.g.", "z. B.").
	inner
	// numbered: an abbreviation only before a number; else it may be a word that ends a sentence ("No.", "fig.").
	numbered
	// closing: it may stand last in a sentence ("etc.", "Inc.", "U.S.").
	closing
)

// known are the abbreviations of English, German, French and Spanish that end in a period, in lower case, without it.
// Parts are joined by periods, whether or not spaces are written between them. Words that are also common words without
// a period are listed as numbered or not at all.
var known = merge(map[use]string{
	inner: `mr mrs ms mx dr drs prof messrs rev gov sen capt sgt cmdr adm maj
		e.g i.e cf viz vs approx ca resp incl excl esp eg ie
		z.b d.h d.i u.u z.t m.e i.d.r i.v.m i.s.v i.s.d i.a s.o s.u v.a v.l.n.r o.g u.e u.a.m
		vgl bzw bspw bzgl evtl ggf ggfs inkl exkl zzgl abzgl sog insb insbes hrsg dipl ing zit röm
		mme mlle mlles mgr env p.ex
		sra srta dña ud uds p.ej aprox núm pág págs`,
	numbered: `no nos nr nrn fig figs abb tab eq eqs eqn sec secs ch chap vol vols pp art arts abs kap bd bde ziff
		anm aufl par para ref refs p s n rn rz tz az tel lt col
		jan feb mar apr jun jul aug sep sept oct okt nov dec dez`,
	closing: `etc usw usf dgl u.ä o.ä u.a o.dgl u.dgl al inc ltd co corp bros jr sr st str mt ave blvd dept est
		ph.d b.a m.a b.sc m.sc d.c a.m p.m u.s u.k u.s.a u.n e.u b.c a.d ee.uu ff mio mrd jh std mind max min geb gest cie`,
})

func merge(lists map[use]string) map[string]use {
	all := map[string]use{}
	for u, list := range lists {
		for _, w := range strings.Fields(list) {
			all[w] = u
		}
	}
	return all
}

// starters are words that begin sentences and, with a capital, hardly ever follow an abbreviation inside one.
var starters = set(`
	a after all although an and as at because before but by during each even every finally for from he her here his how
	however i if in instead it its later many meanwhile more moreover most my no nobody not now on once one only other
	our perhaps she since so some such that the their then there therefore these they this those though thus to today
	under until we what when where whether which while who why with without yet you your
	aber alle als am an auch auf aus bei beim da dabei daher damit danach dann das dass dazu dem den denn der des deshalb
	die dies diese dieser dieses doch du durch ein eine einem einen einer er erst es für hier ich ihr im immer ist jede jeder
	jedes jedoch man mit nach nicht nun nur ob oder seit sein sie so solche sondern trotz um und unter vom von vor was
	weil wenn wer wie wir wo zu zudem zum zur
	au aux avec ce cela ces cet cette dans de des donc du elle elles en et il ils je la le les leur mais nous on ou par
	pour quand que qui sans si son sur un une vous
	al como con cuando del el ella ellos en entonces es esta este estos la las lo los más no para pero por porque se si
	sin también tras un una y ya`)

// germanMonths follow the day of the month as an ordinal.
var germanMonths = set(`januar jänner februar märz april mai juni juli august september oktober november dezember`)

// beforeOrdinals are German words that a number with a period follows as an ordinal.
var beforeOrdinals = set(`der die das dem den des am im zum zur vom beim ins jeder jede jedes jedem jeden`)

func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}
