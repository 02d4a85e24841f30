import type { LinkOptions } from '@tanstack/react-router'
import type { LateUploadsNotice, Notice, TillSilent, VouchersLost } from '../../contract/notices.ts'
import type { HoldEnding } from '../../contract/redemptions/hold.ts'
import { formatCents } from '../../domain/money.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import type { Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'

/** `atCounter`: for a cashier, who has none of the merchant's pages. */
export function describeNotice(notice: AnyNotice, atCounter: boolean): ShownNotice {
  const { key } = notice
  return { key, at: Date.parse(notice.at), ...messageOf(notice, atCounter) }
}

type AnyNotice = Notice | TillSilent | LateUploadsNotice | VouchersLost

function messageOf(notice: AnyNotice, atCounter: boolean): Omit<ShownNotice, 'key' | 'at'> {
  switch (notice.kind) {
    case 'approved':
      return {
        icon: ICONS.ok,
        title: 'Your business was approved',
        text: `${notice.organisation} takes part in the programme.`,
        link: { way: { to: '/profile' }, label: 'Open the profile' },
      }
    case 'invitation expired':
      return {
        icon: notice.of === 'branch' ? ICONS.store : ICONS.masters,
        title: 'Invitation expired',
        text: `${notice.name}: nobody followed the link sent to ${notice.email}. Send it again from there.`,
        link: {
          way:
            notice.of === 'branch'
              ? { to: '/branches/$type/$id', params: { type: notice.guid, id: 'view' } }
              : { to: '/masters/$type/$id', params: { type: notice.guid, id: 'edit' } },
          label: `Open ${notice.name}`,
        },
      }
    case 'more invitations expired':
      return {
        icon: ICONS.store,
        title: 'More invitations expired',
        text: `${pluralize(notice.count, 'other login was', 'other logins were')} invited and nobody came. The list has them.`,
        link: {
          way: { to: '/branches', search: { filter: { account_status: 'Pending Activation' } } },
          label: 'Open the branches',
        },
      }
    case 'till silent':
      return {
        icon: ICONS.alert,
        title: `${notice.till} is silent`,
        text: `${notice.branch_name}: ${pluralize(notice.count, 'voucher')}, ${formatCents(notice.cents)}, not uploaded. Turn the device on and connect it: it uploads by itself.`,
        link: { way: { to: '/devices' }, label: 'Open devices' },
      }
    case 'late uploads':
      return {
        icon: ICONS.alert,
        title: `Late uploads of ${notice.till}`,
        text: `${notice.branch_name}: ${pluralize(notice.count, 'voucher')}, ${formatCents(notice.cents)}, came in after this till was revoked, or was settled by hand. It counts, and somebody should review it.`,
        link: { way: { to: '/devices', search: { filter: { state: 'to review' } } }, label: 'Open devices' },
      }
    case 'vouchers lost':
      return {
        icon: ICONS.alert,
        title: `${notice.till} lost ${pluralize(notice.count, 'voucher')}`,
        text: `${notice.branch_name}: ${formatCents(notice.cents)} that the till accepted without a check is not paid to you. Look at each, and say that you have.`,
        link: { way: { to: '/reports/losses', search: { filter: { state: 'to review' } } }, label: 'Open the losses' },
      }
    case 'hold released':
      return {
        icon: ICONS.ticket,
        title: 'Hold released',
        text: `${formatCents(notice.cents)} voucher ${formatSerial(notice.serial)}, ${placeOf(notice, atCounter)}: ${BY[notice.by]}`,
        ...(atCounter
          ? {}
          : {
              link: { way: { to: '/vouchers', search: { voucher: notice.voucher_guid } }, label: 'Open the voucher' },
            }),
      }
  }
}

const placeOf = ({ till, branch_name }: { till: string; branch_name: string }, atCounter: boolean) =>
  atCounter ? till : `${till}, ${branch_name}`

const BY: Record<HoldEnding, string> = {
  cancelled: 'cancelled at its till.',
  'released by merchant': 'released by your merchant.',
  'released by provider': 'released by the programme.',
  deactivated: 'the till or its branch was deactivated.',
  'taken over': 'another till redeemed it after the hold had run out.',
  redeemed: 'redeemed.',
  voided: 'its redemption was voided.',
}

const DOWNLOADS = { way: { to: '/downloads' }, label: 'Open downloads' } as const

/** What became of the downloads of this device; one that is tried again is news again. */
export function downloadNotice({ id, title, state, settledAt, trouble }: OutboxRow): ShownNotice[] {
  if (settledAt === undefined) return []
  const facts = { key: `${state}:${id}:${settledAt}`, at: settledAt, link: DOWNLOADS }
  if (state === 'ready') return [{ ...facts, icon: ICONS.download, title: 'Report ready', text: title }]
  if (state !== 'failed') return []
  return [{ ...facts, icon: ICONS.alert, title: 'Report failed', text: trouble ? `${title}. ${trouble}` : title }]
}

/** Said once the new build runs here. */
export function updateNotice(known: { build: string; updatedAt?: number | undefined } | undefined): ShownNotice[] {
  if (known?.updatedAt === undefined) return []
  return [
    {
      key: `update:${known.build}`,
      at: known.updatedAt,
      icon: ICONS.refresh,
      title: 'Update installed',
      text: 'This device runs the newest version of the portal.',
      link: { way: { to: '/settings/device' }, label: 'Open this device' },
    },
  ]
}

/** One line of the bell's list, from the server or made on this device. */
export interface ShownNotice {
  key: string
  /** Milliseconds, UTC. */
  at: number
  icon: Drawing
  title: string
  text: string
  /** Where it can be seen or mended. */
  link?: { way: LinkOptions; label: string }
}
