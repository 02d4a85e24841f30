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

/** The number of branches whose POS users are fetched ahead; those of others are stored when the user has looked at them. */
const BRANCHES_AHEAD = 20
/** POS users seldom change: a list of this morning is good enough in the afternoon. */
const POS_LIST_FRESH_MS = 12 * 60 * 60_000
/** In a tab that stays open for days the lists are read again when it becomes visible. */
const PREPARED_FRESH_MS = 12 * 60 * 60_000

let person: { owner: string; preparedAt: number | undefined; running: boolean } | undefined

/**
 * Creates the user's database, so that the worker can write into it, and fetches the data for offline work. Requests that failed
 * without a connection are repeated when it returns, and old data is fetched again when the tab becomes visible.
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

/** Sends one request after the other, so that the user's own requests do not wait behind them. Resolves to true if all were answered. */
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
