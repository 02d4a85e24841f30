export type Layout = 'empty' | 'auth' | 'default'

/** Spec §2, /review and the counter of DESIGN §2: the screens that stand alone. */
const EMPTY = [
  '/',
  '/404',
  '/register',
  '/onboarding',
  '/onboarding-submitted',
  '/pending-authorisation',
  '/terms-and-conditions',
  '/terms-of-use',
  '/voucher-management-guidelines',
  '/review',
  '/redeem',
]

/** Spec §2: the layout of a path, a query apart. Default applies when none is given. */
export function layoutOf(path: string): Layout {
  const plain = path.replace(/(.)\/$/, '$1')
  if (plain === '/login') return 'auth'
  return EMPTY.includes(plain) ? 'empty' : 'default'
}

/** The HTML files of the build: one a layout, with its first screen already drawn (DESIGN §9). */
export const LAYOUT_FILES: Record<Layout, string> = { empty: '/index.html', auth: '/login.html', default: '/app.html' }

/** What server and worker answer a navigation to `path` with. */
export const layoutFile = (path: string): string => LAYOUT_FILES[layoutOf(path)]
