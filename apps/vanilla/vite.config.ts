import { defineConfig } from 'vite'

export default defineConfig({
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2022',
    // The page's content policy allows no inline script or style, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
