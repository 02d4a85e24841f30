import { createHandlerBoundToURL } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { type Layout, LAYOUT_FILES, layoutOf } from '../src/domain/paths.ts'

/** Paths that are not the app's: the two backends, uploads, and files of the build, whose absence must stay a real 404. */
const NOT_THE_APP = [/^\/api\//, /^\/reporting\//, /^\/files\//, /\/[^/?]+\.[^/]+$/]

/** The app starts on any route from the cache, at once, with or without a line: with the HTML of its layout, query or not. */
export function answerNavigations(): void {
  for (const [layout, file] of Object.entries(LAYOUT_FILES) as [Layout, string][]) {
    const route = new NavigationRoute(createHandlerBoundToURL(file), { denylist: NOT_THE_APP })
    registerRoute((asked) => layoutOf(asked.url.pathname) === layout && route.match(asked), route.handler)
  }
}
