// What the build puts into the portal's own code. Imported before any of it.
Object.assign(globalThis, { __API_ORIGINS__: [], __BUILD_ID__: 'simulated', __DRILL__: false })
