import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { extractScripts, removeStyleAttributes } from './extractScripts.ts'

test('inline scripts become files, other scripts stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-docs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const page = `<script id="theme">let a = '$&'</script><script type="module" src="/app.js"></script><script type="application/json">{}</script>`
  const result = await extractScripts(page, folder)
  const name = /<script id="theme" src="\/assets\/(inline\.[0-9a-f]{8}\.js)"><\/script>/.exec(result)?.[1] ?? ''
  expect(await readFile(join(folder, 'assets', name), 'utf8')).toBe(`let a = '$&'`)
  expect(result).toContain('<script type="module" src="/app.js"></script><script type="application/json">{}</script>')
})

test('the two scripts that run before the first paint become one file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-docs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const page = `<script id="check-dark-mode">first()</script>\n    <script id="check-mac-os">second()</script>`
  const result = await extractScripts(page, folder)
  expect(result.match(/<script/g)).toHaveLength(1)
  const [name = ''] = /inline\.[0-9a-f]{8}\.js/.exec(result) ?? []
  expect(await readFile(join(folder, 'assets', name), 'utf8')).toBe('first();second()')
})

test('style attributes are removed from elements, not from text', () => {
  expect(removeStyleAttributes('<p class="a" style="color:red">style="b"</p>')).toBe('<p class="a">style="b"</p>')
})
