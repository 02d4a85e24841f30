import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { KeyScene, type Focus, type Layout } from '../../../tests/support/redemptions/KeyScene.ts'
import { writeSignedVoucher } from '../../domain/signedVouchers.ts'
import { codeIn, scanProblem, withCheckDigit } from '../../domain/vouchers.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const SERIAL = '2004839201186'
const SIGNED = writeSignedVoucher(
  { key: 1, serial: SERIAL, denomination_cents: 1_000, expires_on: '2027-06-30' },
  Uint8Array.from({ length: 64 }, (_, at) => 4 * at),
)

/** Set `PROPERTY_RUNS` for more. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 400)
const TIMEOUT_MS = 20_000 + 20 * RUNS

interface How {
  layout?: Layout
  every?: number
  /** A longer wait before the key at this place. */
  pauseAt?: number
  pause?: number
  ends?: readonly string[]
  /** The wait before the first end key. */
  beforeEnd?: number
  betweenEnds?: number
}

function scan(scene: KeyScene, code: string, how: How = {}) {
  const { layout = 'us', every = 10, pauseAt, pause = 0, ends = ['Enter'], beforeEnd = every, betweenEnds = 20 } = how
  for (const [at, character] of [...code].entries()) {
    if (at > 0) scene.wait(at === pauseAt ? pause : every)
    scene.character(character, layout)
  }
  for (const [at, end] of ends.entries()) {
    scene.wait(at === 0 ? beforeEnd : betweenEnds)
    scene.end(end)
  }
}

/** Returns the events of a page whose Redeem button has the focus while something is scanned. */
function scanAtButton(code: string, how?: How) {
  const scene = new KeyScene()
  scan(scene, code, how)
  scene.wait(2_000)
  return scene
}

describe('while a button has the focus', () => {
  it.each([
    ['a staff badge of five digits', '12345', {}],
    ['a price look-up code', '4011', {}],
    ['a small product', '123456', {}],
    ['two digits', '12', {}],
    ['a member card with a space', 'MEMBER 1234567', {}],
    ['a payment text', '00020101021126370009SG.PAYNOW 5914KOPI AND TOAST6304ABCD', {}],
    ['a code that begins with a space', ' 1234567', {}],
    ['a slow code that begins with a space', ' 1234567', { every: 120 }],
    ['a code that begins with a space and pauses', ` ${SERIAL}`, { pauseAt: 1, pause: 390 }],
    ['a code of one digit', '7', {}],
    ['a code of one digit with CR LF', '7', { ends: ['Enter', 'Enter'], betweenEnds: 95 }],
    ['a code of one digit with Tab and Enter', '7', { ends: ['Tab', 'Enter'] }],
    ['a voucher of a scanner in French', SERIAL, { layout: 'french' }],
    ['a voucher typed on the pad without Num Lock', SERIAL, { layout: 'pad without Num Lock' }],
    ['a signed voucher at 34 ms a key', SIGNED, { every: 34 }],
    ['a signed voucher at 40 ms a key', SIGNED, { every: 40 }],
    ['a signed voucher with one pause', SIGNED, { every: 15, pauseAt: 41, pause: 900 }],
    ['a signed voucher with an AIM identifier', `]Q1${SIGNED}`, {}],
    ['a signed voucher with a pause of 130 ms', SIGNED, { every: 15, pauseAt: 40, pause: 130 }],
    ['a voucher with a Bluetooth pause of 130 ms', SERIAL, { pauseAt: 9, pause: 130 }],
    ['a voucher with a Bluetooth pause of 101 ms', SERIAL, { pauseAt: 9, pause: 101 }],
    ['a voucher with a Bluetooth pause of 390 ms', SERIAL, { pauseAt: 9, pause: 390 }],
    ['a voucher at 120 ms a key', SERIAL, { every: 120 }],
    ['a member card at 120 ms a key', '12345', { every: 120 }],
    ['CR LF as Enter twice', SERIAL, { ends: ['Enter', 'Enter'], betweenEnds: 95 }],
    ['a misread voucher with CR LF', '2004839201187', { ends: ['Enter', 'Enter'] }],
    ['a product with CR LF', '4006381333931', { ends: ['Enter', 'Enter'] }],
    ['CR LF with a late second Enter', SERIAL, { ends: ['Enter', 'Enter'], betweenEnds: 400 }],
    ['Tab and Enter', SERIAL, { ends: ['Tab', 'Enter'], betweenEnds: 150 }],
    ['an Enter that comes 520 ms behind its code', SERIAL, { beforeEnd: 520 }],
    [
      'an Enter that comes 1,800 ms behind its code, and a line feed',
      SERIAL,
      { beforeEnd: 1_800, ends: ['Enter', 'Ctrl+J'] },
    ],
    ['a signed voucher whose Enter comes late', SIGNED, { beforeEnd: 1_150 }],
    ['Enter and LF as Ctrl+J', SERIAL, { ends: ['Enter', 'Ctrl+J'] }],
    ['CR as Ctrl+M', SERIAL, { ends: ['Ctrl+M'] }],
    ['Enter and ETX as Ctrl+C', SERIAL, { ends: ['Enter', 'Ctrl+C', 'Ctrl+B'] }],
    ['a voucher from an input method, which outside of a field cannot be read', SERIAL, { layout: 'input method' }],
  ] satisfies [string, string, How][])('%s presses nothing, and is not lost in silence', (_, code, how) => {
    const scene = scanAtButton(code, how)
    expect(scene.presses).toBe(0)
    expect(scene.browserActs).toBe(0)
    expect(scene.scans).toHaveLength(1)
  })

  it('a person’s Enter and space press it once, and a held key does not press again', () => {
    const scene = new KeyScene()
    scene.stroke({ key: 'Enter', code: 'Enter' })
    scene.wait(120)
    expect(scene.presses).toBe(1)
    scene.wait(500)
    scene.character(' ', 'us')
    scene.wait(450)
    expect(scene.presses).toBe(2)
    scene.stroke({ key: 'Enter', code: 'Enter', repeat: true })
    scene.wait(1_000)
    expect(scene.presses).toBe(2)
    expect(scene.scans).toEqual([])
  })

  it('a person may press it half a second after a scan', () => {
    const scene = scanAtButton(SERIAL)
    scene.end('Enter')
    scene.wait(120)
    expect(scene.presses).toBe(1)
  })

  it('a person may press it half a second after a scan that had its Enter, although the one before had none', () => {
    const scene = new KeyScene()
    scan(scene, SERIAL, { ends: [] })
    scene.wait(500)
    scan(scene, withCheckDigit('200000000002'))
    scene.wait(520)
    scene.end('Enter')
    scene.wait(120)
    expect(scene.presses).toBe(1)
  })
})

it('a last character that comes late presses nothing with the Enter behind it, and neither does a second Enter', () => {
  const scene = new KeyScene()
  scan(scene, SERIAL, { pauseAt: 12, pause: 520, ends: ['Enter', 'Ctrl+J', 'Enter'], betweenEnds: 8 })
  scene.wait(2_000)
  expect([scene.presses, scene.browserActs]).toEqual([0, 0])
  expect(scene.scans.length).toBeGreaterThan(0)
})

it('a trigger button that repeats is no part of a code', () => {
  const scene = new KeyScene()
  scene.focus = 'page'
  for (let nth = 0; nth < 6; nth += 1) {
    scene.stroke({ key: 'Unidentified', repeat: nth > 0 })
    scene.wait(33)
  }
  scan(scene, SERIAL)
  expect(scene.scans).toEqual([SERIAL])
})

describe('a voucher is read', () => {
  it.each([
    ['from a French keyboard', SERIAL, SERIAL, { layout: 'french' }],
    ['from the pad', SERIAL, SERIAL, { layout: 'pad' }],
    ['from the pad without Num Lock', SERIAL, SERIAL, { layout: 'pad without Num Lock' }],
    ['from Alt with the pad', SERIAL, SERIAL, { layout: 'Alt and pad' }],
    ['in its QR form', `HRP1.${SERIAL}`, `HRP1.${SERIAL}`, {}],
    ['in its QR form, from a French keyboard', `HRP1.${SERIAL}`, `HRP1.${SERIAL}`, { layout: 'french' }],
    ['signed, from a German keyboard', SIGNED, SIGNED, { layout: 'german' }],
    ['signed, from a French keyboard, slowly', SIGNED, SIGNED, { layout: 'french', every: 90 }],
    ['behind an AIM identifier', `]E0${SERIAL}`, SERIAL, {}],
    ['behind an AIM identifier on a German keyboard', `]E0${SERIAL}`, SERIAL, { layout: 'german' }],
    ['signed, behind an AIM identifier', `]Q1${SIGNED}`, SIGNED, {}],
    ['behind the letter of a maker', `F${SERIAL}`, SERIAL, {}],
    ['with Tab', SERIAL, SERIAL, { ends: ['Tab'] }],
    ['with Ctrl+J alone', SERIAL, SERIAL, { ends: ['Ctrl+J'] }],
    ['without an end key', SERIAL, SERIAL, { ends: [] }],
    ['without an end key, slowly', SERIAL, SERIAL, { ends: [], every: 200 }],
  ] satisfies [string, string, string, How][])('%s', (_, code, read, how) => {
    expect(scanAtButton(code, how).scans).toEqual([read])
  })

  it.each([
    ['signed, with a lost key', SIGNED.slice(0, -1)],
    ['without its check digit', SERIAL.slice(0, 12)],
    ['with a wrong digit', `${SERIAL.slice(0, 12)}7`],
    ['of goods', '4006381333931'],
  ])('from a French keyboard, and reported as what it is where it cannot be one: %s', (_, code) => {
    expect(scanAtButton(code, { layout: 'french' }).scans).toEqual([code])
  })

  it('behind Ctrl+B, the start of text', () => {
    const scene = new KeyScene()
    scene.stroke({ key: 'b', code: 'KeyB', ctrlKey: true })
    scene.wait(10)
    scan(scene, SERIAL)
    expect(scene.scans).toEqual([SERIAL])
  })

  it('from an input method, character by character, and the field stays as it was', () => {
    const scene = new KeyScene()
    scene.focus = 'field'
    scan(scene, SIGNED, { layout: 'input method', every: 12 })
    expect(scene.scans).toEqual([SIGNED])
    expect(scene.field).toBe('')
  })

  it('from the clipboard, and any other text is the page’s', () => {
    const scene = new KeyScene()
    let kept = 0
    const event = { timeStamp: 0, preventDefault: () => void (kept += 1), stopPropagation: () => undefined }
    scene.keys.pasted(event, `${SERIAL}\n`)
    scene.keys.pasted(event, 'Other-Horse-2027!')
    expect([scene.scans, kept]).toEqual([[SERIAL], 1])
  })

  it('twice from a scanner without an end key', () => {
    const other = withCheckDigit('200000000002')
    const scene = new KeyScene()
    scan(scene, SERIAL, { ends: [] })
    scene.wait(150)
    scan(scene, other, { ends: [] })
    scene.wait(1_000)
    expect(scene.scans).toEqual([SERIAL, other])
  })

  it('once from a scanner that delivers twice', () => {
    const scene = new KeyScene()
    scan(scene, SERIAL)
    scene.wait(200)
    scan(scene, SERIAL)
    scene.wait(2_000)
    scan(scene, SERIAL)
    expect(scene.scans).toEqual([SERIAL, SERIAL])
  })
})

describe('in a field', () => {
  it.each([
    ['a voucher', SERIAL, {}],
    ['a product', '4006381333931', {}],
    ['a voucher with a pause', SERIAL, { pauseAt: 9, pause: 300 }],
    ['a product with an early pause', '4006381333931', { pauseAt: 3, pause: 300 }],
    ['a member card with letters at 40 ms', 'MEMBER', { every: 40 }],
    ['a slow voucher', SERIAL, { every: 130 }],
    ['a voucher of a scanner in French', SERIAL, { layout: 'french' }],
    ['a signed voucher', SIGNED, { every: 40 }],
    ['three digits and Enter', '123', {}],
  ] satisfies [string, string, How][])('%s leaves what a person has typed, and is heard', (_, code, how) => {
    const scene = new KeyScene()
    scene.focus = 'field'
    for (const character of '32.50') {
      scene.character(character, 'us')
      scene.wait(200)
    }
    scan(scene, code, how)
    expect(scene.field).toBe('32.50')
    expect([scene.submits, scene.scans.length]).toEqual([0, 1])
  })

  it.each([90, 45])('a person’s keys, Enter and all, are the person’s, at %i ms a letter', (every) => {
    const scene = new KeyScene()
    scene.focus = 'field'
    for (const character of 'Othe 2027!') {
      scene.character(character, 'us')
      scene.wait(/\d/.test(character) ? 90 : every)
    }
    scene.end('Enter')
    expect([scene.field, scene.submits, scene.scans]).toEqual(['Othe 2027!', 1, []])
  })
})

it('a burst that began while nothing could be taken is refused, whatever has changed since', () => {
  const scene = new KeyScene()
  scene.takes = false
  scene.character('2', 'us')
  scene.takes = true
  scene.wait(10)
  scan(scene, SERIAL.slice(1))
  expect([scene.scans, scene.refused]).toEqual([[], [SERIAL]])
  // The same code is reported again, because it was not taken.
  scene.takes = false
  scene.wait(600)
  scan(scene, SERIAL)
  expect(scene.refused).toEqual([SERIAL, SERIAL])
})

it('letters lead through a list or menu with the focus, until they are a scanner’s', () => {
  const scene = new KeyScene()
  scene.focus = 'list'
  const down = (key: string) => {
    let kept = false
    const event = { key, code: `Key${key.toUpperCase()}`, timeStamp: scene.now, repeat: false, isComposing: false }
    const held = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false }
    scene.keys.keydown({ ...event, ...held, preventDefault: () => (kept = true), stopPropagation: () => undefined })
    return kept
  }
  expect([down('g'), (scene.wait(200), down('b'))]).toEqual([false, false])
  scene.wait(2_000)
  expect([...'abcdef'].map((key) => (scene.wait(10), down(key)))).toEqual([false, false, false, true, true, true])
})

it('a space bar scrolls the page, and a code that begins with a space is read all the same', () => {
  const scene = new KeyScene()
  scene.focus = 'page'
  scene.character(' ', 'us')
  scene.wait(1_000)
  expect([scene.scrolls, scene.scans]).toEqual([1, []])
  scan(scene, ` ${SERIAL}`)
  expect(scene.scans).toEqual([SERIAL])
})

it('a code that begins with a space leaves nothing in a field that gets the focus behind it', () => {
  const scene = new KeyScene()
  scene.focus = 'page'
  scene.character(' ', 'us')
  scene.focus = 'field'
  scan(scene, '12')
  expect([scene.field, scene.submits, scene.scans]).toEqual(['', 0, ['12']])
})

const voucher = fc.stringMatching(/^2\d{11}$/).map((twelve) => withCheckDigit(twelve))

const layout = fc.constantFrom<Layout>(
  'us',
  'french',
  'belgian',
  'german',
  'pad',
  'pad without Num Lock',
  'Alt and pad',
)
const ENDS = [['Enter'], ['Tab'], ['Enter', 'Enter'], ['Tab', 'Enter'], ['Enter', 'Ctrl+J'], ['Ctrl+J'], []]
const ends = fc.constantFrom<readonly string[]>(...ENDS)

it(
  'two scanners and a person at once press nothing, and are not lost in silence',
  () => {
    // With a second end key each, keys of one scanner could be further apart than a scanner's are.
    const oneEnd = fc.constantFrom(...ENDS.filter(({ length }) => length < 2))
    const scanner = fc.record({ code: voucher, layout, ends: oneEnd })
    const stroke = fc.record({
      who: fc.nat(2),
      after: fc.integer({ min: 0, max: 200 }),
      typed: fc.constantFrom('4', '.', 'x'),
    })
    fc.assert(
      fc.property(scanner, scanner, fc.array(stroke, { minLength: 30, maxLength: 60 }), (one, other, strokes) => {
        const scene = new KeyScene()
        const queues = [one, other].map(({ code, layout, ends }) => {
          const characters = [...code].map((character) => () => scene.character(character, layout))
          return characters.concat(ends.map((end) => () => scene.end(end)))
        })
        for (const { who, after, typed } of strokes) {
          scene.wait(after)
          const press = queues[who]?.shift() ?? (() => scene.character(typed, 'us'))
          press()
        }
        scene.wait(2_000)
        expect([scene.presses, scene.browserActs]).toEqual([0, 0])
        expect(scene.scans.length).toBeGreaterThan(0)
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT_MS,
)

const voucherCode = fc.oneof(
  { weight: 4, arbitrary: voucher },
  { weight: 1, arbitrary: voucher.map((serial) => `HRP1.${serial}`) },
  { weight: 1, arbitrary: voucher.map((serial) => `]E0${serial}`) },
  { weight: 1, arbitrary: fc.constant(SIGNED) },
)
const otherCode = fc.oneof(fc.stringMatching(/^\d{1,12}$/), fc.stringMatching(/^[ A-Z0-9./:-]{2,40}$/))

const scanStep = fc.record({
  is: fc.constant('scan' as const),
  code: fc.oneof(voucherCode, otherCode),
  layout,
  every: fc.integer({ min: 1, max: 58 }),
  /** The gap of a slow scanner, which only a whole voucher tells from a person in a field. */
  slow: fc.option(fc.integer({ min: 61, max: 395 })),
  pauseAt: fc.integer({ min: 1, max: 12 }),
  pause: fc.integer({ min: 1, max: 398 }),
  ends,
  betweenEnds: fc.integer({ min: 1, max: 450 }),
  /** A move of the focus during the code or before its last end key, as when an answer changes the screen. */
  turns: fc.option(
    fc.record({ at: fc.nat(16), to: fc.constantFrom<Focus>('button', 'field', 'page'), takes: fc.boolean() }),
  ),
})
const personStep = fc.record({
  is: fc.constant('person' as const),
  does: fc.constantFrom('Enter', ' ', 'text'),
  text: fc.stringMatching(/^[\d.]{1,6}$/),
  every: fc.integer({ min: 90, max: 350 }),
})
const pauseStep = fc.record({
  is: fc.constant('pause' as const),
  ms: fc.integer({ min: 450, max: 3_000 }),
  focus: fc.constantFrom<Focus>('button', 'field', 'page'),
  takes: fc.boolean(),
})
type ScanStep = Drawn<typeof scanStep>
type PersonStep = Drawn<typeof personStep>
type AnyStep = ScanStep | PersonStep | Drawn<typeof pauseStep>
type Drawn<A> = A extends fc.Arbitrary<infer S> ? S : never

const isVoucher = (code: string) => scanProblem(codeIn(code)) === undefined

function play(scene: KeyScene, step: ScanStep) {
  const { code, turns, pauseAt, pause, layout } = step
  const every = isVoucher(code) ? (step.slow ?? step.every) : /\D/.test(code) ? Math.min(step.every, 34) : step.every
  // One key before a pause may be a person's, where the code is not whole.
  const mayPause = isVoucher(code) || (/^\d{6,}$/.test(code) && pauseAt > 1 && pauseAt < code.length - 3)
  // Two or three quick keys, or slow ones in a field, may be a person's until their end.
  const ends = (code.length < 4 || every > 60) && step.ends.length === 0 ? ['Enter'] : step.ends
  const turn = (at: number) => {
    if (turns && at === turns.at) Object.assign(scene, { focus: turns.to, takes: turns.takes })
  }
  for (const [at, character] of [...code].entries()) {
    if (at > 0) scene.wait(at === pauseAt && mayPause ? Math.max(pause, every) : every)
    turn(at)
    scene.character(character, layout)
  }
  for (const [at, end] of ends.entries()) {
    scene.wait(at === 0 ? every : step.betweenEnds)
    turn(code.length + at)
    scene.end(end)
  }
}

/** Returns what went wrong in a step: nothing, whatever the step and the state of the page. */
function surprises(scene: KeyScene, step: AnyStep): string[] {
  if (step.is === 'pause') {
    Object.assign(scene, { focus: step.focus, takes: step.takes })
    scene.wait(step.ms)
    return []
  }
  return step.is === 'scan' ? scanSurprises(scene, step) : personSurprises(scene, step)
}

function scanSurprises(scene: KeyScene, step: ScanStep): string[] {
  // A person has stopped by the time a scanner begins. One or two digits in a field may be a person's.
  scene.wait(450)
  if (step.code.length < 3 && (step.turns || scene.focus === 'field')) return []
  const { presses, submits, browserActs, field, scans, refused } = scene
  const [taken, notTaken] = [scans.length, refused.length]
  play(scene, step)
  scene.wait(1_050)
  const heard = [...scans.slice(taken), ...refused.slice(notTaken)]
  return [
    ...(scene.presses > presses ? ['a button was pressed'] : []),
    ...(scene.submits > submits ? ['a form was sent'] : []),
    ...(scene.browserActs > browserActs ? ['the browser has acted'] : []),
    ...(scene.field === field ? [] : ['the field has changed']),
    ...(heard.length > 0 ? [] : ['nothing was said']),
    ...(isVoucher(step.code) && !heard.includes(codeIn(step.code)) ? [`read as ${heard.join()}`] : []),
  ]
}

function personSurprises(scene: KeyScene, { does, text, every }: PersonStep): string[] {
  // A code that a pause has ended may get its end key for another 1.5 seconds.
  scene.wait(1_600)
  const { focus, field, presses } = scene
  if (does === 'text') {
    for (const character of text) {
      scene.character(character, 'us')
      scene.wait(every)
    }
    return focus !== 'field' || scene.field === field + text ? [] : ['a key of a person was lost']
  }
  if (focus !== 'button') return []
  scene.stroke({ key: does, code: does === ' ' ? 'Space' : 'Enter' })
  scene.wait(450)
  return scene.presses === presses + 1 ? [] : ['a press of a person was lost']
}

it(
  'random streams of scanners and persons: no control is pressed, no whole code is lost, a person’s keys work',
  () => {
    const steps = fc.array(fc.oneof(scanStep, scanStep, personStep, pauseStep), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(steps, (steps) => {
        const scene = new KeyScene()
        expect(steps.flatMap((step) => surprises(scene, step))).toEqual([])
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT_MS,
)
