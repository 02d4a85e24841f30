import { describe, expect, it } from 'vitest'
import type { Probed } from '../../domain/connectivity.ts'
import { BLIP_MS, RETURN_MS, judgeConnectivity, INITIAL_RECORD, type ConnectivityRecord } from './judgeConnectivity.ts'

const START = 1_000_000

/** The record after these contacts, each with its time in milliseconds. */
function after(
  contacts: [Probed['contact'], number][],
  given: { onLine?: boolean; isAskedFor?: boolean } = {},
): ConnectivityRecord {
  const circumstances = { onLine: true, isAskedFor: false, ...given }
  return contacts.reduce(
    (record, [contact, at]) => judgeConnectivity(record, contact, { ...circumstances, now: START + at }),
    INITIAL_RECORD,
  )
}

describe('the verdict on the connection', () => {
  it('is down after the first failure, and tells what failed', () => {
    expect(after([['silent', 0]])).toMatchObject({ verdict: 'unreachable', since: START })
    expect(after([['silent', 0]], { onLine: false })).toMatchObject({ verdict: 'offline', captive: false })
    expect(after([['fault', 0]])).toMatchObject({ verdict: 'unreachable' })
    expect(after([['foreign', 0]])).toMatchObject({ verdict: 'offline', captive: true })
  })

  it('offline 30: trusts an answer more than navigator.onLine, also the answer of a failing server', () => {
    expect(after([['ours', 0]], { onLine: false })).toMatchObject({ verdict: 'online' })
    expect(after([['fault', 0]], { onLine: false })).toMatchObject({ verdict: 'unreachable' })
  })

  it('is online after the first answer that follows an outage', () => {
    const outage: [Probed['contact'], number][] = [
      ['silent', 0],
      ['silent', BLIP_MS],
    ]
    expect(after([...outage, ['ours', BLIP_MS + 1]])).toMatchObject({
      verdict: 'online',
      since: START + BLIP_MS + 1,
      captive: false,
    })
  })

  it('stays down after a blip until the connection is stable, unless the user asked', () => {
    const blip: [Probed['contact'], number][] = [
      ['foreign', 0],
      ['ours', 1_000],
    ]
    expect(after(blip)).toMatchObject({ verdict: 'offline', captive: true, since: START })
    expect(after([...blip, ['ours', 1_000 + RETURN_MS - 1]])).toMatchObject({ verdict: 'offline' })
    expect(after([...blip, ['ours', 1_000 + RETURN_MS]])).toMatchObject({ verdict: 'online' })
    expect(after(blip, { isAskedFor: true })).toMatchObject({ verdict: 'online' })
  })

  it('offline 33: five toggles in five seconds are one outage', () => {
    const toggles = [0, 1_000, 2_000, 3_000, 4_000].flatMap((at): [Probed['contact'], number][] => [
      ['silent', at],
      ['ours', at + 500],
    ])
    expect(after(toggles)).toMatchObject({ verdict: 'unreachable', since: START })
    expect(after([...toggles, ['ours', 4_500 + RETURN_MS]])).toMatchObject({ verdict: 'online' })
  })

  it('keeps the beginning of an outage that changes its kind', () => {
    const turned = after([
      ['silent', 0],
      ['foreign', 9_000],
    ])
    expect(turned).toMatchObject({ verdict: 'offline', since: START })
  })

  it('is slow after two late answers in a row, and online after one prompt answer', () => {
    expect(after([['late', 0]])).toMatchObject({ verdict: 'online' })
    const slow: [Probed['contact'], number][] = [
      ['late', 0],
      ['late', 3_000],
    ]
    expect(after(slow)).toMatchObject({ verdict: 'slow', since: START + 3_000 })
    expect(
      after([
        ['late', 0],
        ['ours', 1_000],
        ['late', 3_000],
      ]),
    ).toMatchObject({ verdict: 'online' })
    expect(after([...slow, ['ours', 9_000]])).toMatchObject({ verdict: 'online' })
  })
})
