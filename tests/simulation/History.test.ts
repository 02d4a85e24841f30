import { expect, it } from 'vitest'
import { History } from './History.ts'

const carried = (path: string, body: object, headers: [string, string][] = []) => {
  return { method: 'POST', path: `/api/voucher/${path}`, headers, body: JSON.stringify(body) }
}
const answered = (status: number, body: object) => ({ status, headers: [], body: JSON.stringify(body) })

it('has a call for each voucher of a request, open until its till hears of it', () => {
  let now = 100
  const history = new History(() => now)
  const verify = history.sent(carried('verify', { serial: 's', hold: { id: 'a' } }))
  now = 200
  history.heard(verify, answered(200, { data: {} }))
  const upload = history.sent(
    carried('upload', {
      redemptions: [
        { id: 'a', serial: 's' },
        { id: 'b', serial: 't' },
      ],
    }),
  )
  const refused = { id: 'a', outcome: 'refused', error: 'HOLD_ENDED', data: { by: 'taken over' } }
  history.heard(upload, answered(200, { data: { outcomes: [refused] } }))
  history.ended('s', 'release')

  expect(history.calls.get('s')).toMatchObject([
    { ask: 'verify', hold: 'a', answer: '200', from: 1, to: 2, askedAt: 100, answeredAt: 200 },
    { ask: 'redeem', hold: 'a', answer: 'HOLD_ENDED taken over' },
    { ask: 'release', answer: '200' },
  ])
  expect(history.calls.get('t')).toMatchObject([{ ask: 'redeem', hold: 'b', to: Infinity }])
})
