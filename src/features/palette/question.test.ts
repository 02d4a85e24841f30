import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Period } from '../../blocks/periods/periods.ts'
import { addDays, singaporeDay } from '../../domain/singaporeTime.ts'
import { readQuestions, withoutPeriod, type Known } from './question.ts'

const branches = ['Jurong', 'Jurong East', 'Tampines Mall', 'May Flower', 'Café Étoile', 'Marina Bay', 'Store 21'].map(
  (name) => ({ guid: name, name }),
)
/** A Sunday. */
const known: Known = { today: '2026-11-29', branches }

/** Writes questions as `voided 2026-11-28 Jurong`, with `from to` for a longer period. */
const read = (typed: string, of = known) =>
  readQuestions(typed, of).map(({ subject, period, branch, report, format }) =>
    [subject, period && [...new Set([period.from, period.to])].join(' to '), branch?.name, report, format]
      .filter(Boolean)
      .join(' '),
  )

it.each([
  ['voided yesterday', 'voided 2026-11-28'],
  ['yesterday’s refunds', undefined],
  ['refunds of yesterday', 'voided 2026-11-28'],
  ['TODAY', 'redeemed 2026-11-29'],
  ['last week tampines', 'redeemed 2026-11-16 to 2026-11-22 Tampines Mall'],
  ['this month', 'redeemed 2026-11-01 to 2026-11-29'],
  ['last month tampines mall xlsx', 'redeemed 2026-10-01 to 2026-10-31 Tampines Mall xlsx'],
  ['tampines excel october', 'redeemed 2026-10-01 to 2026-10-31 Tampines Mall xlsx'],
  ['december', 'redeemed 2025-12-01 to 2025-12-31'],
  ['oct 2026', 'redeemed 2026-10-01 to 2026-10-31'],
  ['2026-02', 'redeemed 2026-02-01 to 2026-02-28'],
  ['sept', 'redeemed 2026-09-01 to 2026-09-30'],
  ['last october', 'redeemed 2026-10-01 to 2026-10-31'],
  ['2 oct', 'redeemed 2026-10-02'],
  ['oct 2nd', 'redeemed 2026-10-02'],
  ['30 nov', 'redeemed 2025-11-30'],
  ['2/10', 'redeemed 2026-10-02'],
  ['2/10/2025', 'redeemed 2025-10-02'],
  ['29 oct to 2 nov', 'redeemed 2026-10-29 to 2026-11-02'],
  ['friday', 'redeemed 2026-11-27'],
  ['last 7 days', 'redeemed 2026-11-23 to 2026-11-29'],
  ['last 2 months', 'redeemed 2026-09-01 to 2026-10-31'],
  ['2025 monthly report', 'redeemed 2025-01-01 to 2025-12-31 monthly'],
  ['last year', 'redeemed 2025-01-01 to 2025-12-31'],
  ['expired in tampines', 'expired Tampines Mall'],
  ['tampnies on hold', 'on hold Tampines Mall'],
  ['vouchers waiting etoile', 'waiting Café Étoile'],
  ['how much was redeemed at marina bay yesterday?', 'redeemed 2026-11-28 Marina Bay'],
  ['late uploads last week', 'late 2026-11-16 to 2026-11-22'],
  ['who voided yesterday', undefined],
  ['activity yesterday', 'activity 2026-11-28'],
  ['store 21 yesterday', 'redeemed 2026-11-28 Store 21'],
  ['store tampines yesterday', 'redeemed 2026-11-28 Tampines Mall'],
])('%s is one question', (typed, question) => {
  expect(read(typed)).toEqual(question === undefined ? [] : [question])
})

it.each([
  ['october jurong', ['redeemed 2026-10-01 to 2026-10-31 Jurong', 'redeemed 2026-10-01 to 2026-10-31 Jurong East']],
  ['october jurong e', []],
  ['october jurong ea', ['redeemed 2026-10-01 to 2026-10-31 Jurong East']],
  ['november', ['redeemed 2026-11-01 to 2026-11-29', 'redeemed 2025-11-01 to 2025-11-30']],
  ['sunday', ['redeemed 2026-11-29', 'redeemed 2026-11-22']],
  ['mar voided', ['voided 2026-03-01 to 2026-03-31', 'voided Marina Bay']],
  ['may flower october', ['redeemed 2026-10-01 to 2026-10-31 May Flower']],
  ['may flower', ['redeemed 2026-05-01 to 2026-05-31 May Flower']],
])('%s has every reading of its words', (typed, questions) => {
  expect(read(typed)).toEqual(questions)
})

it.each([
  '',
  'jurong',
  'voided',
  'october september',
  'october bishan',
  'october jurong bishan',
  'december 2026',
  'tomorrow',
  '31 feb',
  '2026-13',
  '99/99',
  'last 0 days',
  'may may may may may may may may may',
  'create branch',
  'constructor yesterday',
])('%j asks for nothing that is known', (typed) => {
  expect(read(typed)).toEqual([])
})

it('has no branch to name for a person who sees none', () => {
  expect(read('october jurong', { ...known, branches: [] })).toEqual([])
  expect(read('october', { ...known, branches: [] })).toEqual(['redeemed 2026-10-01 to 2026-10-31'])
})

it('leaves the words that name no period for the search of pages and records', () => {
  expect(withoutPeriod('payout last month', known.today)).toBe('payout')
  expect(withoutPeriod('Jurong 2 Oct', known.today)).toBe('jurong')
})

const words = fc.constantFrom(
  ...'voided refunds yesterday today last week month oct 2026 2025 may mar 2 31 to jurong east tampines flower store report csv xlsx on hold late zzz'.split(
    ' ',
  ),
)
const days = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
  .map(singaporeDay)

it('invents neither a period nor a branch, whatever the words and their order', () => {
  const isNamed = (name: string, typed: readonly string[]) =>
    typed.some((word) => word !== 'to' && name.toLowerCase().includes(word))
  const isOver = ({ from, to }: Period, today: string) => from <= to && to <= today
  fc.assert(
    fc.property(fc.array(words, { maxLength: 8 }), days, (typed, today) => {
      const questions = readQuestions(typed.join(' '), { today, branches })
      expect(questions.filter(({ branch }) => branch && !isNamed(branch.name, typed))).toEqual([])
      expect(questions.filter(({ period }) => period && !isOver(period, today))).toEqual([])
      const hasPeriod = typed.some((word) => /^(?:yesterday|today|last|oct|may|mar|20\d\d)$/.test(word))
      expect(questions.filter(({ period, branch }) => (period ? !hasPeriod : !branch))).toEqual([])
    }),
  )
})

it('reads the same whatever else is typed around a day, in any order', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: 0, max: 4_000 }), fc.boolean(), (today, ago, dayFirst) => {
      const day = addDays(today, -ago)
      const typed = dayFirst ? `${day} voided tampines` : `tampines voided ${day}`
      expect(read(typed, { today, branches })).toEqual([`voided ${day} Tampines Mall`])
    }),
  )
})

it('ends at once, whatever is typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (typed) => {
      const started = performance.now()
      readQuestions(typed, known)
      expect(performance.now() - started).toBeLessThan(500)
    }),
  )
  const started = performance.now()
  readQuestions('may mar may mar may mar may mar', known)
  expect(performance.now() - started).toBeLessThan(500)
})
