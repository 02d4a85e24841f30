import { lazyAfterFirstPaint } from './beside.tsx'

const ConnectivityBanner = lazyAfterFirstPaint(
  async () => (await import('./connectivity/ConnectivityBanner.tsx')).ConnectivityBanner,
)

/**
 * Where the banner of the line appears, right under the header of a layout. It is fetched while the line is there; without it
 * the header still has its word. `works`: what this page can do without a line, in a sentence.
 */
export const ConnectivityBannerSlot = ({ works }: { works?: string | undefined }) => (
  <div className="line-place">
    <ConnectivityBanner works={works} />
  </div>
)
