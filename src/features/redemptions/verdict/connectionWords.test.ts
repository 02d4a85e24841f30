import { describe, expect, it } from 'vitest'
import type { TillRow } from '../../../offline/store/till.ts'
import { notCheckedWords } from '../tray/rowWords.ts'
import { redemptionVerdict } from './redemptionVerdict.ts'

const ONLINE = { verdict: 'online', captive: false } as const
const SLOW = { verdict: 'slow', captive: false } as const
const NO_ANSWER = { verdict: 'unreachable', captive: false } as const
const OFFLINE = { verdict: 'offline', captive: false } as const
const WIFI_LOGIN = { verdict: 'offline', captive: true } as const

const notChecked = (connection: Parameters<typeof notCheckedWords>[1]) => notCheckedWords('connectivity', connection)

describe('a voucher that could not be checked', () => {
  it.each([
    [WIFI_LOGIN, 'The shop’s Wi-Fi wants a login'],
    [NO_ANSWER, 'Our service cannot be reached'],
    [OFFLINE, 'There is no connection'],
    [SLOW, 'The connection is slow'],
    [ONLINE, 'The check was not answered'],
  ])('has the state of the connection as its reason: %o', (connection, reason) => {
    expect(notChecked(connection).happened).toContain(reason)
  })

  it('has the login of the Wi-Fi as what to do, where that is in the way', () => {
    expect(notChecked(WIFI_LOGIN).todo).toContain('Open the Wi-Fi login')
    expect(notChecked(OFFLINE).todo).not.toContain('Wi-Fi')
  })
})

const CONFIRMED: TillRow = {
  id: 'a',
  secret: 's',
  owner: 'o',
  owner_name: 'till-1',
  till: 'Till 2',
  serial: '2474200000081',
  state: 'confirmed',
  askedAt: 0,
  confirmedAt: 1,
  denomination_cents: 1_000,
  sent: true,
  attempts: 1,
  nextAt: 0,
  seen: false,
}

describe('a voucher that was redeemed and has no receipt yet', () => {
  it('will upload without a connection, and is uploading with one', () => {
    expect(redemptionVerdict(CONFIRMED, OFFLINE).word).toBe('Redeemed\u00A0– will upload')
    expect(redemptionVerdict(CONFIRMED, SLOW).word).toBe('Redeemed\u00A0– uploading')
  })

  it('is said alike with and without a connection', () => {
    const spoken = [OFFLINE, ONLINE].map((connection) => redemptionVerdict(CONFIRMED, connection).spoken)
    expect(new Set(spoken).size).toBe(1)
  })

  it('says that an answer was lost, never that a server cannot be reached while it can', () => {
    const lost = { ...CONFIRMED, heard: 'The server cannot be reached.', restsForLine: true }
    expect(redemptionVerdict(lost, ONLINE).happened).toMatch(/^The answer was lost\. It is being fetched\./)
    expect(redemptionVerdict(lost, NO_ANSWER).happened).toMatch(/^Our service cannot be reached\./)
    expect(redemptionVerdict({ ...lost, restsForLine: false, heard: 'Not by this till.' }, ONLINE).happened).toMatch(
      /^Not by this till\./,
    )
  })
})
