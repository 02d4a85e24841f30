export type Layout = 'empty' | 'auth' | 'default'

/** The screens without navigation (rule 16.1). */
const EMPTY = [
  '/',
  '/404',
  '/help',
  '/register',
  '/onboarding',
  '/onboarding-submitted',
  '/pending-authorisation',
  '/terms-and-conditions',
  '/terms-of-use',
  '/voucher-management-guidelines',
  '/review',
  '/redeem',
  '/practise',
  '/enrol',
]

/**
 * Returns the layout of a path, without its query (rule 16.1); the default layout if none is set. No path of the portal has a `%`: it begins a query
 * or a fragment that a mail system has encoded.
 */
export function layoutOf(path: string): Layout {
  const [beforeEncoded = ''] = path.split('%', 1)
  const plain = beforeEncoded.replace(/(.)\/$/, '$1')
  if (plain === '/login') return 'auth'
  return EMPTY.includes(plain) ? 'empty' : 'default'
}

/** The HTML files of the build: one for each layout, with its first screen already drawn (rule 18.2). */
export const LAYOUT_FILES: Record<Layout, string> = { empty: '/index.html', auth: '/login.html', default: '/app.html' }

/** Returns the file that server and worker send for a navigation to `path`. */
export const layoutFile = (path: string): string => LAYOUT_FILES[layoutOf(path)]

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The page that a path under /profile, /masters or /branches asks for (rule 16.4). */
export type SubPath =
  | { view: 'list'; list: 'all' | 'master' | 'adhoc' }
  | { view: 'create' }
  | { view: 'detail' | 'edit'; id: string | undefined }

type Feature = 'profile' | 'masters' | 'branches'

/** Reads the segments below the feature; `undefined` means /404. An id comes before its action: `masters/{id}/edit`. */
export function subPath(feature: Feature, first?: string, second?: string): SubPath | undefined {
  if (feature === 'profile') return profilePath(first, second)
  if (first === undefined) return { view: 'list', list: 'all' }
  if (first === 'create' && second === undefined) return { view: 'create' }
  if (GUID.test(first)) return recordPath(feature, first, second)
  return feature === 'branches' ? branchListPath(first, second) : undefined
}

function profilePath(first?: string, second?: string): SubPath | undefined {
  if (first === undefined) return { view: 'detail', id: undefined }
  return first === 'edit' && second === undefined ? { view: 'edit', id: undefined } : undefined
}

function recordPath(feature: Feature, id: string, action?: string): SubPath | undefined {
  if (action === 'edit') return { view: 'edit', id }
  return feature === 'branches' && action === 'view' ? { view: 'detail', id } : undefined
}

function branchListPath(list: string, id?: string): SubPath | undefined {
  if (list !== 'master' && list !== 'adhoc') return undefined
  if (id === undefined) return { view: 'list', list }
  return GUID.test(id) ? { view: 'detail', id } : undefined
}

/** Returns the link to the details of a profile. The profile of a branch begins with its POS users. */
export const profileDetails = ({ branch_guid }: { branch_guid: string | null }) =>
  ({ to: '/profile', search: branch_guid === null ? {} : { tab: 'details' as const } }) as const
