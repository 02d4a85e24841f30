import { markNoticesRead, readNotices } from '../contract/notices.ts'
import { resource } from './resource.ts'

/** What the bell lists. */
export const noticeApi = resource({ read: readNotices, mark: markNoticesRead })
