import { expect, it } from 'vitest'
import { History } from './History.ts'

const carried = (path: string, body: object) => {
  return { method: 'POST', path: `/api/${path}`, headers: [], body: JSON.stringify(body) }
}
const answered = (status: number, body: object) => ({ status, headers: [], body: JSON.stringify(body) })

it('has a call for each voucher of a request, open until its till hears of it', () => {
  let now = 100
  const history = new History(() => now)
  const verify = history.sent(carried('voucher/verify', { serial: 's', hold: { id: 'a' } }))
  now = 200
  history.heard(verify, answered(200, { data: {} }))
  history.sent(carried('voucher/verify', { serial: 't', hold: { id: 'b' } }))
  const rows = ['never verified', 'a', 'b'].map((id) => ({ id, became: 'redeemed' }))
  const told = history.sent(carried('till/sync', { rows }))
  history.heard(told, answered(200, { data: { outcomes: [{}, { state: 'ended', by: 'taken over' }] } }))
  history.ended('s', 'release')

  expect(history.calls.get('s')).toMatchObject([
    { ask: 'verify', hold: 'a', answer: '200', from: 1, to: 2, askedAt: 100, answeredAt: 200 },
    { ask: 'redeem', hold: 'a', answer: 'ended taken over' },
    { ask: 'release', answer: '200' },
  ])
  expect(history.calls.get('t')).toMatchObject([{ ask: 'verify' }, { ask: 'redeem', hold: 'b', to: Infinity }])
})
