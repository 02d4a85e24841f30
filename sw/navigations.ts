import { createHandlerBoundToURL } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** Paths that are not the app's: the two backends, uploads, and files of the build, whose absence must stay a real 404. */
const NOT_THE_APP = [/^\/api\//, /^\/reporting\//, /^\/files\//, /\/[^/?]+\.[^/]+$/]

/** The app starts on any route from the cache, at once, with or without a line. */
export function answerNavigations(): void {
  registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NOT_THE_APP }))
}
