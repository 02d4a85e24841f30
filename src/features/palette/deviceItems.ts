import * as v from 'valibot'
import type { Feature, PermissionMap } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import type { PosUserOption } from '../../contract/posUsers.ts'
import type { View, ViewList } from '../../contract/views.ts'
import { Voucher } from '../../contract/vouchers.ts'
import { may } from '../../domain/accounts/permissions.ts'
import { formatSerial, serialFromScan } from '../../domain/vouchers.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { REFERENCE_LISTS, type ReferenceListKey } from '../../offline/store/referenceLists.ts'
import { ICONS } from '../../ui/icons.tsx'
import type { Item, Place } from './Item.ts'

export interface DeviceItems {
  items: Item[]
  /** The age of the oldest list; undefined while nothing is stored. */
  asOf: Date | undefined
  /** How many entries each list has: the server cuts long lists off. */
  lengths: Partial<Record<ReferenceListKey, number>>
}

/** The lists whose records this person may open. */
export function visibleLists(user: User, permissions: PermissionMap): ReferenceListKey[] {
  const sees = (feature: Feature) => may(user, { feature, action: 'view' }, permissions)
  return [
    ...(sees('branches') ? (['branches'] as const) : []),
    ...(sees('pos') ? (['posUsers'] as const) : []),
    ...(sees('masters') ? (['masters'] as const) : []),
    ...(sees('profile') ? (['views'] as const) : []),
  ]
}

/** Records as they are stored on this device. Needs no connection. */
export async function deviceItems(user: User, permissions: PermissionMap): Promise<DeviceItems> {
  const keys = visibleLists(user, permissions)
  const rows = await userStore(user.guid)
    .lists.bulkGet(keys)
    .catch(() => [])
  const stored: DeviceItems = { items: [], asOf: undefined, lengths: {} }
  for (const [at, key] of keys.entries()) {
    const row = rows[at]
    const entries = v.safeParse(REFERENCE_LISTS[key].answer, row?.data)
    if (!row || !entries.success) continue
    const { output } = entries
    if (!Array.isArray(output)) continue
    stored.items.push(...itemsOf(key, output, user))
    stored.lengths[key] = output.length
    const asOf = new Date(row.fetchedAt)
    if (!stored.asOf || asOf < stored.asOf) stored.asOf = asOf
  }
  if (may(user, { feature: 'vouchers', action: 'view' }, permissions))
    stored.items.push(...(await openedVouchers(user)))
  return stored
}

type Named = { guid: string; name: string }

function itemsOf(key: ReferenceListKey, entries: readonly unknown[], user: User): Item[] {
  if (key === 'branches') return (entries as Named[]).map(branchItem)
  if (key === 'masters') return (entries as Named[]).map(masterItem)
  if (key === 'posUsers') return (entries as PosUserOption[]).map((one) => posUserItem(one, user))
  return (entries as View[]).flatMap((view) => viewItem(view, user))
}

export const branchItem = ({ guid, name }: Named): Item => ({
  id: `branch/${guid}`,
  group: 'Branches',
  label: name,
  icon: ICONS.store,
  go: { to: '/branches/$type/$id', params: { type: guid, id: 'view' } },
})

const masterItem = ({ guid, name }: Named): Item => ({
  id: `master/${guid}`,
  group: 'Masters',
  label: name,
  icon: ICONS.masters,
  go: { to: '/masters/$type/$id', params: { type: guid, id: 'edit' } },
})

/** A branch finds its POS users under its profile. */
export const posUserItem = ({ guid, name, branch_guid, branch_name }: PosUserOption, { type }: User): Item => {
  const isOwn = type === 'Branch Merchant'
  return {
    id: `pos/${guid}`,
    group: 'POS users',
    label: name,
    detail: isOwn ? undefined : branch_name,
    icon: ICONS.user,
    go: isOwn
      ? { to: '/profile', search: { q: name } }
      : { to: '/branches/$type/$id', params: { type: branch_guid, id: 'view' }, search: { tab: 'pos', q: name } },
  }
}

/** The page of each list. POS users are missing: their tables are on the pages of many branches. */
const PLACES: Partial<Record<string, [to: string, of: string]>> = {
  voucher: ['/vouchers', 'Vouchers'],
  master: ['/masters', 'Masters'],
  branch: ['/branches', 'Branches'],
  'branch/master': ['/branches/master', 'Branches of masters'],
  'branch/adhoc': ['/branches/adhoc', 'Adhoc branches'],
  resources: ['/resources', 'Resources'],
  activity: ['/activity', 'Activity'],
} satisfies Partial<Record<ViewList, [string, string]>>

function viewItem({ guid, list, name }: View, { type }: User): Item[] {
  const own: Place | undefined = list === 'pos' && type === 'Branch Merchant' ? { to: '/profile' } : undefined
  const [to, of] = PLACES[list] ?? [own?.to, 'POS users']
  if (to === undefined) return []
  return [
    {
      id: `view/${guid}`,
      group: 'Saved views',
      label: name,
      detail: of,
      icon: ICONS.filter,
      go: { to, search: { view: guid } },
    },
  ]
}

const OPENED = 'voucher.get '

/** Vouchers that were opened on this device, the last one first. */
async function openedVouchers({ guid }: User): Promise<Item[]> {
  const rows = await userStore(guid)
    .reads.where('key')
    .startsWith(OPENED)
    .toArray()
    .catch(() => [])
  return rows
    .toSorted((one, other) => other.fetchedAt - one.fetchedAt)
    .flatMap(({ data }) => {
      const voucher = v.safeParse(Voucher, data)
      return voucher.success ? [voucherItem(voucher.output)] : []
    })
}

const voucherItem = ({ guid, serial, status }: Voucher): Item => ({
  id: `voucher/${guid}`,
  group: 'Vouchers',
  label: formatSerial(serial),
  detail: status,
  keywords: serial,
  icon: ICONS.ticket,
  go: { to: '/vouchers', search: { voucher: guid } },
})

/** For a serial that was typed or scanned, at least eight digits of it. */
export function serialItem(typed: string): Item | undefined {
  const digits = serialFromScan(typed).replaceAll(/[\s-]/g, '')
  if (!/^\d{8,13}$/.test(digits)) return undefined
  return {
    id: `serial/${digits}`,
    group: 'Vouchers',
    label: `Find voucher ${formatSerial(digits)}`,
    icon: ICONS.search,
    go: { to: '/vouchers', search: { q: digits } },
  }
}
