import { subscribeKey } from 'valtio/vanilla/utils'
import { baseUrl, ownBase } from './api/baseUrl.ts'
import { accountApi, filterApi, signupApi } from './api/portal.ts'
import type { myInfo } from './contract/account.ts'
import type { AnswerOf } from './contract/endpoint.ts'
import { posUsers } from './contract/filter.ts'
import type { Feature } from './contract/permissions.ts'
import { isGated, type Visitor } from './domain/gate.ts'
import { may } from './domain/permissions.ts'
import { freshRead, keptRead, listKey } from './offline/page/cachedRead.ts'
import { connectivity } from './offline/page/connectivity.ts'
import { userStore } from './offline/page/userStore.ts'
import { keepList, keepPublicList } from './offline/store/keepList.ts'
import { isPublicList, type ReferenceListKey } from './offline/store/referenceLists.ts'
import { profileRead, visitor } from './state/auth.ts'
import { passwordPromptRead } from './state/passwordPrompt.ts'

/** The branches whose POS users are fetched ahead; those of any other are kept once they were looked at. */
const BRANCHES_AHEAD = 20
/** Tills come and go slowly: a list of this morning will do this afternoon. */
const POS_LIST_FRESH_MS = 12 * 60 * 60_000
/** Lists in a tab that stays open for days are read anew when it is seen. */
const PREPARED_FRESH_MS = 12 * 60 * 60_000

let person: { owner: string; preparedAt: number | undefined; running: boolean } | undefined

/**
 * Makes the person's database, so that the worker has somewhere to write, and asks for what offline work needs. What failed for
 * want of a line is asked for again when it returns, and what has grown old when the tab is seen.
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
  for (const ask of listsOf(asked, owner)) {
    const answered = await ask().then(
      () => true,
      () => false,
    )
    if (person?.owner !== owner) return true
    complete &&= answered
  }
  return complete
}

function listsOf(visiting: Visitor, owner: string): (() => Promise<unknown>)[] {
  const sees = (feature: Feature) => may(visiting, { feature, action: 'view' })
  // The calls of the merchant's own screens come with those, not with /login.
  const business = () => import('./api/business.ts')
  const keeping: Keeping = (key, ask) => kept(owner, key, ask)
  return [
    () => accountApi.myInfo().then(readProfile),
    ...(isGated(visiting)
      ? [() => keeping('productServiceCategories', () => signupApi.productServiceCategories())]
      : []),
    ...(sees('reports')
      ? [() => keeping('denominations', () => filterApi.denominations()), () => branchesAndPosUsers(owner, keeping)]
      : []),
    ...(sees('masters') ? [() => keeping('masters', async () => (await business()).masterApi.list())] : []),
    ...(sees('resources')
      ? [() => keeping('resources', async () => (await business()).programmeApi.datatable({ query: {} }))]
      : []),
  ]
}

type Keeping = <T>(key: ReferenceListKey, ask: () => Promise<T>) => Promise<T>

/** The worker keeps what passes through it; on the first visit, or with the portal's API elsewhere, nothing does. */
async function kept<T>(owner: string, key: ReferenceListKey, ask: () => Promise<T>): Promise<T> {
  const isKeptByWorker = navigator.serviceWorker?.controller && baseUrl('api') === ownBase('api')
  const data = await ask()
  const write = isPublicList(key) ? keepPublicList : keepList.bind(undefined, owner)
  if (!isKeptByWorker) await write(key, data, Date.now()).catch(() => undefined)
  return data
}

async function branchesAndPosUsers(owner: string, keeping: Keeping) {
  const branches = await keeping('branches', () => filterApi.branches())
  for (const { guid } of branches.slice(0, BRANCHES_AHEAD)) {
    const body = { branch_guid: guid }
    const key = listKey('filter.posUsers', body)
    const before = await keptRead(userStore(owner), key, posUsers.answer)
    if (person?.owner !== owner) return
    if (Date.now() - (before?.asOf.getTime() ?? 0) < POS_LIST_FRESH_MS) continue
    await freshRead(userStore(owner), key, () => filterApi.posUsers({ body }))
  }
}

function readProfile(profile: AnswerOf<typeof myInfo>) {
  profileRead(profile)
  passwordPromptRead(profile)
}
