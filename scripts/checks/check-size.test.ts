import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkSizes } from './check-size.mjs'

// Random numbers, which gzip can't compress, so that a file has about the given size.
const weigh = (kilobytes: number): string => {
  let state = kilobytes
  const next = (): string => (state = (state * 48_271) % 2_147_483_647).toString(36).slice(-2)
  return Array.from({ length: kilobytes * 770 }, next).join('')
}

const app = {
  'node_modules/lib/package.json':
    '{ "name": "lib", "type": "module", "exports": { ".": { "source": "./index.ts" } } }',
  'node_modules/lib/index.ts': `
    import { createElement } from 'react'
    import css from './a.css?inline'
    export const small: number = 1
    export const styled = () => createElement('style', {}, css)
    export const open = () => import('./view.ts')
    export { heavy } from './heavy.ts'`,
  'node_modules/lib/a.css': '.a { color: red }',
  'node_modules/lib/view.ts': `import { shared } from './shared.ts'\nexport const view = '${weigh(2)}' + shared`,
  'node_modules/lib/shared.ts': `export const shared = '${weigh(1)}'`,
  'node_modules/lib/heavy.ts': `export const heavy = '${weigh(5)}'`,
  'node_modules/lib/node_modules/react/package.json': '{ "name": "react" }',
}

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'latchkey-size-')))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

test('counts only the code that an import statement needs, without React', async () => {
  const folder = await folderOf(app)
  const { problems } = await checkSizes(folder, [{ name: 'a', imports: { lib: ['small', 'styled'] }, eager: 0.2 }])
  expect(problems).toEqual([])
})

test('fails if the eager or the lazy size exceeds its budget', async () => {
  const folder = await folderOf(app)
  const { problems } = await checkSizes(folder, [
    { name: 'a', imports: { lib: ['open', 'heavy'] }, eager: 4, lazy: 2 },
    { name: 'b', imports: { lib: ['open', 'heavy'] }, eager: 7, lazy: 4 },
  ])
  expect(problems).toEqual([
    expect.stringMatching(/^a, eager: 5\.\d\d kB is over its budget of 4 kB$/),
    expect.stringMatching(/^a, lazy: 3\.\d\d kB is over its budget of 2 kB$/),
  ])
})

test('counts the chunks of opened sources as eager', async () => {
  const folder = await folderOf(app)
  const { problems } = await checkSizes(folder, [
    { name: 'a', imports: { lib: ['open'] }, opened: ['node_modules/lib/view.ts', 'gone.ts'], eager: 2, lazy: 0 },
  ])
  expect(problems).toEqual([
    'a: gone.ts is not a separate chunk',
    expect.stringMatching(/^a, eager: 3\.\d\d kB is over its budget of 2 kB$/),
  ])
})
