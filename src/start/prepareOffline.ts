import { subscribeKey } from 'valtio/vanilla/utils'
import { call } from '../api/call.ts'
import { refreshReferenceList } from '../blocks/reference-lists/refreshReferenceList.ts'
import { myInfo } from '../contract/accounts/account.ts'
import type { AnswerOf } from '../contract/endpoint.ts'
import { posUserOptions } from '../contract/reports/reportFilters.ts'
import type { Visitor } from '../domain/gate.ts'
import { connectivity } from '../offline/connectivity/connectivity.ts'
import { fetchAndCache, listKey, readCached } from '../offline/reads/cachedRead.ts'
import { neededLists } from '../offline/reads/useListAges.ts'
import { userStore } from '../offline/storage/userStore.ts'
import { profileRead, visitor } from '../state/auth.ts'
import { passwordPromptRead } from '../state/passwordPrompt.ts'

/** The branches whose POS users are fetched ahead; those of any other are stored once somebody has looked at them. */
const BRANCHES_AHEAD = 20
/** Tills come and go slowly: a list of this morning will do this afternoon. */
const POS_LIST_FRESH_MS = 12 * 60 * 60_000
/** Lists in a tab that stays open for days are read anew when it is seen. */
const PREPARED_FRESH_MS = 12 * 60 * 60_000

let person: { owner: string; preparedAt: number | undefined; running: boolean } | undefined

/**
 * Makes the person's database, so that the worker has somewhere to write, and asks for what offline work needs. What failed
 * without a connection is asked for again when that returns, and what has grown old when the tab is seen.
 */
export function prepareFor(owner: string | undefined): void {
  person = owner === undefined ? undefined : { owner, preparedAt: undefined, running: false }
  void prepare()
}

export function keepPrepared(): void {
  subscribeKey(connectivity, 'returns', () => void prepare())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void prepare())
}

async function prepare() {
  const current = person
  if (!current || current.running || Date.now() - (current.preparedAt ?? 0) < PREPARED_FRESH_MS) return
  current.running = true
  await userStore(current.owner)
    .open()
    .catch(() => undefined)
  if (await askAll(current.owner)) current.preparedAt = Date.now()
  current.running = false
}

/** One after the other, so that nobody's work waits behind them. Whether all were answered. */
async function askAll(owner: string): Promise<boolean> {
  const asked = visitor()
  if (!asked) return true
  let complete = true
  for (const ask of offlineRequests(asked, owner)) {
    const answered = await ask().then(
      () => true,
      () => false,
    )
    if (person?.owner !== owner) return true
    complete &&= answered
  }
  return complete
}

function offlineRequests(visiting: Visitor, owner: string): (() => Promise<unknown>)[] {
  return [
    () => call(myInfo).then(readProfile),
    () => refreshReferenceList(owner, 'support'),
    ...neededLists(visiting).map(
      (key) => () => (key === 'branches' ? branchesAndPosUsers(owner) : refreshReferenceList(owner, key)),
    ),
  ]
}

async function branchesAndPosUsers(owner: string) {
  const branches = await refreshReferenceList(owner, 'branches')
  for (const { guid } of branches.slice(0, BRANCHES_AHEAD)) {
    const body = { branch_guid: guid }
    const key = listKey('filter.posUsers', body)
    const before = await readCached(userStore(owner), key, posUserOptions.answer)
    if (person?.owner !== owner) return
    if (Date.now() - (before?.asOf.getTime() ?? 0) < POS_LIST_FRESH_MS) continue
    await fetchAndCache(userStore(owner), key, () => call(posUserOptions, { body }))
  }
}

function readProfile(profile: AnswerOf<typeof myInfo>) {
  profileRead(profile)
  passwordPromptRead(profile)
}
