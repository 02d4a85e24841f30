import { ACTIVITY_SUBJECTS, type ActivitySubject } from '../../contract/activity/activityActions.ts'

/** What a subject is, before its name or in the place of it. */
const NOUNS: Record<ActivitySubject, string> = {
  account: 'account',
  organisation: 'profile',
  master: 'master',
  branch: 'branch',
  pos_user: 'POS user',
  voucher: 'voucher',
  vouchers: 'vouchers',
  till: 'device',
  report: 'report',
  list: 'list',
  resource: 'file',
  import: 'import',
}

/** "branch"; what is newer than this build is a record. */
export const subjectNoun = (type: string): string =>
  ACTIVITY_SUBJECTS.find((known) => known === type) ? NOUNS[type as ActivitySubject] : 'record'
