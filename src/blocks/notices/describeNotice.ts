import type { HoldEnding } from '../../contract/redemptions/hold.ts'
import type { Notice } from '../../contract/notices.ts'
import { pluralize } from '../../domain/counted.ts'
import { formatCents } from '../../domain/money.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import type { ShownNotice } from './ShownNotice.ts'

/** `atCounter`: for a cashier, who has none of the merchant's pages. */
export function describeNotice(notice: Notice, atCounter: boolean): ShownNotice {
  const { key } = notice
  return { key, at: Date.parse(notice.at), ...messageOf(notice, atCounter) }
}

function messageOf(notice: Notice, atCounter: boolean): Omit<ShownNotice, 'key' | 'at'> {
  switch (notice.kind) {
    case 'approved':
      return {
        icon: 'ok',
        title: 'Your business was approved',
        text: `${notice.organisation} takes part in the programme.`,
        link: { way: { to: '/profile' }, label: 'Open the profile' },
      }
    case 'invitation expired':
      return {
        icon: notice.of === 'branch' ? 'store' : 'masters',
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
        icon: 'store',
        title: 'More invitations expired',
        text: `${pluralize(notice.count, 'other login was', 'other logins were')} invited and nobody came. The list has them.`,
        link: {
          way: { to: '/branches', search: { filter: { account_status: 'Pending Activation' } } },
          label: 'Open the branches',
        },
      }
    case 'hold released':
      return {
        icon: 'ticket',
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
  cancelled: 'given back by its till.',
  'released by merchant': 'released by your merchant.',
  'released by provider': 'released by the programme.',
  deactivated: 'the till or its branch was deactivated.',
  'taken over': 'another till took it after the hold had run out.',
  redeemed: 'redeemed.',
  voided: 'its redemption was taken back.',
}
