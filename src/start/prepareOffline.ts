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
import { storeProfile, visitor } from '../state/auth.ts'
import { storePasswordPrompt } from '../state/passwordPrompt.ts'

/** The number of branches whose POS users are fetched in advance; those of other branches are stored when the user has looked at them. */
const PREFETCHED_BRANCHES = 20
/** POS users seldom change: a list of this morning is good enough in the afternoon. */
const POS_LIST_FRESH_MS = 12 * 60 * 60_000
/** In a tab that stays open for days the lists are read again when it becomes visible. */
const PREPARED_FRESH_MS = 12 * 60 * 60_000

let preparation: { owner: string; preparedAt: number | undefined; running: boolean } | undefined

/** Creates the user's database, so that the worker can write into it, and fetches the data for offline work. */
export function prepareFor(owner: string | undefined): void {
  preparation = owner === undefined ? undefined : { owner, preparedAt: undefined, running: false }
  void prepare()
}

/** Prepares again when the connection returns, and when the tab becomes visible. */
export function keepPrepared(): void {
  subscribeKey(connectivity, 'returns', () => void prepare())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void prepare())
}

async function prepare() {
  const current = preparation
  if (!current || current.running || Date.now() - (current.preparedAt ?? 0) < PREPARED_FRESH_MS) return
  current.running = true
  await userStore(current.owner)
    .open()
    .catch(() => undefined)
  if (await sendAll(current.owner)) current.preparedAt = Date.now()
  current.running = false
}

/** Sends one request after the other, so that the user's own requests do not wait behind them. Resolves to true if all were answered. */
async function sendAll(owner: string): Promise<boolean> {
  const user = visitor()
  if (!user) return true
  let isComplete = true
  for (const send of offlineRequests(user, owner)) {
    const isAnswered = await send().then(
      () => true,
      () => false,
    )
    if (preparation?.owner !== owner) return true
    isComplete &&= isAnswered
  }
  return isComplete
}

function offlineRequests(user: Visitor, owner: string): (() => Promise<unknown>)[] {
  return [
    () => call(myInfo).then(storeMyInfo),
    () => refreshReferenceList(owner, 'support'),
    ...neededLists(user).map(
      (key) => () => (key === 'branches' ? fetchBranchesAndPosUsers(owner) : refreshReferenceList(owner, key)),
    ),
  ]
}

async function fetchBranchesAndPosUsers(owner: string) {
  const branches = await refreshReferenceList(owner, 'branches')
  for (const { guid } of branches.slice(0, PREFETCHED_BRANCHES)) {
    const body = { branch_guid: guid }
    const key = listKey('filter.posUsers', body)
    const stored = await readCached(userStore(owner), key, posUserOptions.answer)
    if (preparation?.owner !== owner) return
    if (Date.now() - (stored?.asOf.getTime() ?? 0) < POS_LIST_FRESH_MS) continue
    await fetchAndCache(userStore(owner), key, () => call(posUserOptions, { body }))
  }
}

function storeMyInfo(profile: AnswerOf<typeof myInfo>) {
  storeProfile(profile)
  storePasswordPrompt(profile)
}
