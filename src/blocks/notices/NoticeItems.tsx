import { Link, type LinkOptions } from '@tanstack/react-router'
import type { Notice, TillConcern } from '../../contract/notices.ts'
import { activityFacts, activitySentence } from '../../domain/activityLabels.ts'
import { concernMessages } from '../../domain/devices/deviceConcerns.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { Icon, type Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Item } from '../../ui/Panel.tsx'
import { activityRoute } from '../activity/ActivityLink.tsx'
import { useOffline } from '../connectivity/useOffline.ts'
import type { NoticesRead } from './NoticeBell.tsx'

/** Shown in place of an empty list: `text` if there are no notices, else why they are not known. */
export function NoNotices({ read: { phase }, text }: { read: NoticesRead; text: string }) {
  const offline = useOffline()
  return <p className="text-muted">{whyNone(phase, offline) ?? text}</p>
}

function whyNone(phase: NoticesRead['phase'], offline: boolean): string | undefined {
  if (phase === 'loading') return 'Checking for new notices…'
  if (phase !== 'failed') return undefined
  return offline
    ? 'Notices have not been opened here before. They appear once the device is online.'
    : 'Notices could not be loaded. Try again in a few minutes.'
}

interface ItemsProps {
  notices: readonly Notice[]
  look?: 'dialog'
  news?: ReadonlySet<string>
  onFollow?: () => void
}

export const NoticeItems = ({ notices, look, news, onFollow }: ItemsProps) => (
  <ul className={look && '-mx-6'} aria-label="Notices">
    {notices.map((notice) => {
      const { icon, title, text, link } = describeNotice(notice)
      return (
        <Item
          key={notice.key}
          look={look}
          mark={<Icon drawing={icon} />}
          action={
            <Link {...link.way} aria-label={`${link.label}: ${title}`} onClick={onFollow}>
              {link.label}
            </Link>
          }
        >
          <b className="font-strong">
            <ExactSentence text={title} />
            {news?.has(notice.key) && <span className="ml-2 text-xs text-link">New</span>}
          </b>
          <p className="text-muted">
            <ExactSentence text={text} />
          </p>
        </Item>
      )
    })}
  </ul>
)

interface Described {
  icon: Drawing
  title: string
  text: string
  /** Links to the page that shows or corrects the cause. */
  link: { way: LinkOptions; label: string }
}

/** Describes a notice in words. A till's concern and an action of the provider have the same words as in the list of devices and the activity log. */
function describeNotice(notice: Notice): Described {
  switch (notice.kind) {
    case 'till': {
      const { short, long } = concernMessages(notice.concern)
      return {
        icon: ICONS.alert,
        title: `${notice.till}: ${short}`,
        text: `${notice.branch_name}. ${long}`,
        link: { way: CONCERN_LINKS[notice.concern.is], label: 'View' },
      }
    }
    case 'invitations expired':
      return describeInvitations(notice)
    case 'act': {
      const sentence = activitySentence(notice)
      const facts = activityFacts(notice.details).map(([name, value]) => `${name}: ${value}`)
      return {
        icon: ICONS.bell,
        title: `The programme ${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`,
        text: [formatInstant(new Date(notice.at)), notice.branch_name, ...facts].filter(Boolean).join('. '),
        link: { way: activityRoute(notice.subject.type, notice.subject.id), label: 'View' },
      }
    }
  }
}

const devices = (state: string): LinkOptions => ({ to: '/devices', search: { filter: { state } } })

const CONCERN_LINKS: Record<TillConcern['is'], LinkOptions> = {
  unsettled: devices('not settled'),
  silent: devices('waiting'),
  late: devices('to review'),
  lost: { to: '/reports/losses' },
}

function describeInvitations({
  of,
  count,
  guid,
  name,
  email,
}: Extract<Notice, { kind: 'invitations expired' }>): Described {
  const icon = of === 'branch' ? ICONS.store : ICONS.masters
  if (count === 1) {
    return {
      icon,
      title: 'Invitation expired',
      text: `${name}: nobody followed the link sent to ${email}. Open it to send a new one.`,
      link: {
        way:
          of === 'branch'
            ? { to: '/branches/$type/$id', params: { type: guid, id: 'view' } }
            : { to: '/masters/$type/$id', params: { type: guid, id: 'edit' } },
        label: 'View',
      },
    }
  }
  return {
    icon,
    title: `${count} invitations expired`,
    text: `${name} and ${pluralize(count - 1, 'other login', 'other logins')}: nobody followed their links. Open the list to send new ones.`,
    link: {
      way:
        of === 'branch'
          ? { to: '/branches', search: { filter: { account_status: 'Pending Activation' } } }
          : { to: '/masters', search: { filter: { status: 'Pending Activation' } } },
      label: 'View',
    },
  }
}
