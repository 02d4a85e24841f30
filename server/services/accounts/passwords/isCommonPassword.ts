/** Words of this portal that everybody tries first. */
const PORTAL_WORDS = ['voucher', 'vouchers', 'merchant', 'portal', 'password', 'reward', 'rewards', 'redeem']

/**
 * Words that passwords are made of most often: those that head every published list, keyboard walks, names, teams, months,
 * days, and words of this place. Lower case, letters mostly: what people put around them is taken off before comparing.
 */
const COMMON_PASSWORDS: readonly string[] = `
  password passwort passw passwd pass passcode passphrase passwords mypassword thepassword newpassword yourpassword
  defaultpassword temppassword userpassword oldpassword password123password secret mysecret topsecret letmein letmeinnow
  letmein123please openup opensesame welcome welcomeback welcomehome welcometo hello helloworld hellohello hithere whatever
  changeme changemenow changeit changethis pleasechange temporary temp temppass default guest guestuser user username
  newuser login loginlogin logmein admin administrator adminadmin superadmin sysadmin root rootroot toor superuser master
  mastermaster masterkey manager supervisor operator service support helpdesk system server backup database oracle mysql
  postgres test testing tester testtest testuser demo demodemo sample example trial office company business account
  accounts finance cashier counter branch store shop sales reception training trainer staff employee worker
  a aa aaa aaaa ab abc abcd abcde abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefghijk abcdefghijkl abcabc
  aabbcc aabbccdd xyz xxx zzz qwe qweqwe qweasd qweasdzxc qwer qwert qwerty qwertyu qwertyui qwertyuio qwertyuiop qwertyqwerty
  qwerty123qwerty qazwsx qazwsxedc qazwsxedcrfv qaz2wsx qaz2wsx3edc 1qaz2wsx 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t q1w2e3 q1w2e3r4 q1w2e3r4t5
  zaq1xsw2 zaqxsw zaqwsx asd asdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdfasdf asdasd zxc zxcv zxcvb zxcvbn zxcvbnm
  zxczxc poiuytrewq lkjhgfdsa mnbvcxz azerty azertyuiop yuiop hjkl wasd
  iloveyou iloveu ilove loveyou lovely love lovelove mylove trueloves truelove forever always together sweetheart sweetie
  honey darling babygirl babyboy baby angel angels princess prince queen king kingkong sunshine sunflower flower flowers rose
  butterfly rainbow unicorn dolphin chocolate cookie cookies candy sugar cupcake banana apple orange cherry strawberry
  pumpkin peanut butter cheese coffee pepper ginger whiskey tequila
  monkey dragon tiger lion panther eagle falcon phoenix wolf fox bear panda kitty kitten hellokitty cat cats dog dogs doggy puppy
  bunny rabbit horse pony snake shark turtle spider scorpion cobra mustang
  football soccer baseball basketball hockey tennis golf golfer cricket badminton swimming running fishing hunter ranger
  arsenal chelsea liverpool manchester manchesterunited manutd barcelona realmadrid juventus yankees lakers cowboys steelers
  superman batman spiderman ironman wonderwoman starwars skywalker jedi yoda matrix pokemon pikachu naruto dragonball
  minecraft fortnite roblox warcraft counterstrike playstation nintendo xbox gamer gaming killer ninja samurai warrior
  knight wizard merlin gandalf shadow ghost demon devil hunter2 trustno trustno1 trustnoone access freedom liberty
  michael jennifer jessica ashley amanda daniel david michelle thomas robert charlie george andrew jordan justin joshua
  matthew anthony nicole maggie samantha hannah sophie sophia olivia emily william james john johnny robbie richard
  joseph christopher alexander alexandra victoria elizabeth stephanie patricia barbara patrick peter paul mark steven
  kevin brian jason eric ryan tyler taylor hunter cameron austin dallas chelsea madison morgan jasmine natasha
  january february march april may june july august september october november december monday tuesday wednesday thursday
  friday saturday sunday spring summer autumn fall winter christmas newyear birthday happybirthday holiday vacation weekend
  singapore singapura merlion lionking sgsgsg marinabay orchard changi sentosa tampines bedok jurong woodlands temasek
  majulah majulahsingapura onepeople kopi kopitiam tehtarik chickenrice hawker durian malaysia indonesia china india
  hongkong america england london paris newyork tokyo australia canada
  internet computer laptop keyboard monitor windows microsoft google facebook instagram youtube twitter linkedin amazon
  apple iphone android samsung nokia huawei xiaomi gmail hotmail yahoo email website wifi router network cisco security
  secure security1 safety private personal
  money dollar dollars cash rich richman million millionaire billion lucky luckyday goldfish golden silver diamond crystal
  platinum bank banking payment wallet credit
  blessed blessing jesus jesuschrist god godisgood godbless faith hope grace heaven church amen peace buddha allah krishna
  happy happyday smile smiley laugh funny crazy cool awesome amazing perfect beautiful handsome pretty sexy hottie
  fuckyou fuckoff asshole bullshit bitch shit dammit biteme suckit
  blink nirvana metallica slipknot linkinpark greenday coldplay beatles elvis eminem music guitar piano drummer rockstar
  rocknroll dancer dancing singer
  mother father mommy daddy mom dad mum family friends friend bestfriend bestfriends brother sister sisters cousin children
  student teacher teachers school college university doctor nurse engineer
  ferrari porsche mercedes bmw audi toyota honda nissan mazda corvette camaro harley yamaha suzuki racing
  blue red green black white purple yellow pink silver1 bluesky blackjack redsox
  home house garden kitchen window door table summertime sunday1 nothing something anything everything nobody somebody
  iamthebest number numberone one two three onetwothree first second third hundred thousand
  thisismypassword thisisapassword thisispassword ihateyou idontknow idontcare dontforget remember rememberme forgetme
  correcthorsebatterystaple tooshort longpassword strongpassword verystrong supersecret supersecure complexpassword
  healthy health wellness fitness healthier discount coupon coupons gift gifts bonus points shopping customer customers
`
  .trim()
  .split(/\s+/)

/** Names shorter than this say too little to forbid them inside a longer word. */
const SHORTEST_WORD = 4
/** A core of fewer letters may well be left over from something random. */
const SHORTEST_LETTERS = 6

const LEET: Record<string, string> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', '@': 'a', $: 's', '!': 'i' }

const lettersOf = (text: string) => text.replaceAll(/\P{L}/gu, '')
/** Most people put what a rule asks of them, digits and a sign, at either end of their word. */
const withoutEnds = (text: string) => text.replaceAll(/^\P{L}+|(?<=\p{L})\P{L}+$/gu, '')

/** `one`: a 1 stands for either letter. */
function unleet(text: string, one: string): string {
  return [...text].map((sign) => (sign === '1' ? one : (LEET[sign] ?? sign))).join('')
}

/** The words that `password` may be a disguise of: `P@ssw0rd2026!` is `password`. */
function readingsOf(password: string): { core: string; letters: string }[] {
  const plain = password.normalize('NFKC').toLowerCase()
  // The end of "2026!" would read as letters, so it is taken off before digits are; "pa$$" is why it is also done after.
  const bases = [plain, withoutEnds(plain)]
  const spelled = bases.flatMap((base) => [base, unleet(base, 'i'), unleet(base, 'l')])
  return spelled.map((text) => ({ core: withoutEnds(text), letters: lettersOf(text) }))
}

const commonCores = new Set(COMMON_PASSWORDS.map((word) => readingsOf(word)[0]!.core).filter(Boolean))
const commonLetters = new Set(COMMON_PASSWORDS.map(lettersOf).filter(({ length }) => length >= SHORTEST_LETTERS))

/**
 * Whether `password` is one that is tried first: a common one behind other spelling, digits and signs, or nothing but words
 * of this portal and of `context` (the organisation's name, the sign-in name).
 */
export function isCommonPassword(password: string, context: string[]): boolean {
  const names = context.map((name) => lettersOf(name.normalize('NFKC').toLowerCase())).filter((name) => name.length > 2)
  const parts = context.flatMap((name) =>
    name
      .normalize('NFKC')
      .toLowerCase()
      .split(/\P{L}+/u),
  )
  const words = [...PORTAL_WORDS, ...names, ...parts.filter(({ length }) => length >= SHORTEST_WORD)]
  return readingsOf(password).some(
    ({ core, letters }) =>
      (commonCores.has(core) && (core.length >= SHORTEST_WORD || isCounting(password))) ||
      commonLetters.has(letters) ||
      isMadeOf(letters, words),
  )
}

/** `Abc123456789!`: around two or three letters it takes more than that to be a common one. */
function isCounting(password: string): boolean {
  const digits = password.replaceAll(/\D/g, '')
  const isRun = ['01234567890', '09876543210'].some((run) => run.includes(digits)) || /^(\d)\1*$/.test(digits)
  return digits.length >= SHORTEST_WORD && isRun
}

/** Whether `text` is one or more of `words` in a row. Marks the reachable places: a pattern could backtrack without end. */
function isMadeOf(text: string, words: string[]): boolean {
  const reachable = new Set([0])
  for (let at = 0; at < text.length; at += 1) {
    if (!reachable.has(at)) continue
    for (const word of words) if (text.startsWith(word, at)) reachable.add(at + word.length)
  }
  return text.length > 0 && reachable.has(text.length)
}
