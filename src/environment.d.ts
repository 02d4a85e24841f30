/** Set by vite.config.ts at build time. */
declare const __BUILD_ID__: string
declare const __API_ORIGINS__: readonly string[]
/** True if this build has the outage drill (DRILL=on). */
declare const __DRILL__: boolean
