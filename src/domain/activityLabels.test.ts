import { expect, it } from 'vitest'
import { ACTIVITY_LABELS, actionName, activityFacts, activitySentence, type ActivityAction } from './activityLabels.ts'

const about = (action: string, name: string) => activitySentence({ action, subject: { name } })

it('says an act with what it was done to, whatever that is called', () => {
  expect(about('branch.deactivated', 'Kallang')).toBe('Deactivated branch Kallang')
  expect(about('password.set', '$& {name}')).toBe('Set the password of $& {name}')
  expect(about('session.logged_in', 'till-1')).toBe('Logged in')
})

it('names each act without its record, by a name of its own that ends like a sentence', () => {
  const names = (Object.keys(ACTIVITY_LABELS) as ActivityAction[]).map(actionName)
  expect(names.filter((name) => /[{}]|\b(?:to|of|for|the|of (?:till|branch|POS user))$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

it('names an act that is newer than this build by its code', () => {
  expect(about('branch.moved', 'Kallang')).toBe('branch.moved')
})

it('reads facts as people do: money, instants, and facts that are newer than this build', () => {
  expect(
    activityFacts({ amount_cents: 1050, since: '2026-11-21T02:00:00.000Z', changed: 'name', colour: 'blue' }),
  ).toEqual([
    ['Amount', '$10.50'],
    ['On hold since', '21 Nov 2026, 10:00'],
    ['Changed', 'name'],
    ['colour', 'blue'],
  ])
})
