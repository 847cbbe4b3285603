import { expect, test } from 'vitest'
import { deferApp } from './deferApp.ts'

const page = `<head>
<link rel="preload stylesheet" href="/assets/style.1a2b.css" as="style">
<link rel="preload stylesheet" href="/vp-icons.css" as="style">
<script type="module" src="/assets/app.1a2b.js"></script>
<link rel="modulepreload" href="/assets/chunks/theme.1a2b.js">
</head><body><div id="app"></div>
<script>window.__VP_HASH_MAP__={}</script>
</body>`

test('deferApp loads the app with low priority, and starts it after the data that it needs', () => {
  const deferred = deferApp(page)
  expect(deferred).not.toContain('<script type="module" src=')
  expect(deferred).toContain('<link rel="modulepreload" fetchpriority="low" href="/assets/app.1a2b.js">')
  expect(deferred).toContain('<link rel="modulepreload" fetchpriority="low" href="/assets/chunks/theme.1a2b.js">')
  expect(deferred.indexOf('__VP_HASH_MAP__')).toBeLessThan(deferred.indexOf("import('/assets/app.1a2b.js')"))
})

test('deferApp removes the styles of icons from a page without icons only', () => {
  expect(deferApp(page)).not.toContain('vp-icons.css')
  expect(deferApp(page)).toContain('/assets/style.1a2b.css')
  const withIcons = page.replace('<div id="app">', '<div id="app"><span class="vpi-social-forge"></span>')
  expect(deferApp(withIcons)).toContain('vp-icons.css')
})

test('deferApp rejects a page whose format has changed', () => {
  expect(() => deferApp('<body></body>')).toThrow('The page has no script for its app.')
})
