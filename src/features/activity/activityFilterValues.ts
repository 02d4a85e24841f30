import * as v from 'valibot'
import { ACTIVITY_KINDS, SUBJECT_FILTER } from '../../contract/activity/activityActions.ts'
import { day, guid } from '../../contract/fieldSchemas.ts'

/** What the filters accept. Anything else in a link counts as no filter. */
export const ACTIVITY_FILTER_VALUES = {
  from: day,
  to: day,
  kind: v.picklist(ACTIVITY_KINDS),
  actor: guid,
  subject: v.pipe(v.string(), v.regex(SUBJECT_FILTER)),
}
