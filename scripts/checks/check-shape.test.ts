import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkShape, findCaseCollisions } from './check-shape.mjs'

const manifest = {
  name: '@latchkey/a',
  version: '1.0.0',
  license: 'MIT',
  keywords: ['wallet'],
  type: 'module',
  files: ['dist'],
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
}

async function problemsOf(files: Record<string, string>, place = 'packages/a'): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-shape-'))
  await mkdir(join(folder, 'packages'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const own = { 'package.json': JSON.stringify(manifest), LICENSE: 'MIT' }
  for (const [path, text] of Object.entries({ ...own, ...files })) {
    const target = join(folder, place, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text)
  }
  return (await checkShape(folder)).problems
}

const built = { 'dist/index.js': 'export const a = 1\n', 'dist/index.d.ts': 'export declare const a: number\n' }

test('accepts a package that resolves and has types', { tags: 'faults' }, async () => {
  expect(await problemsOf(built)).toEqual([])
})

test('rejects a package with a missing export and a package that publishes tests', { tags: 'faults' }, async () => {
  expect(await problemsOf({ 'dist/index.js': built['dist/index.js'], 'dist/a.test.js': '' })).toEqual([
    'packages/a would publish dist/a.test.js',
    expect.stringContaining('pkg.exports["."].types is ./dist/index.d.ts but the file does not exist'),
  ])
})

test.each(['packages/a', 'server', 'devnet'])(
  'rejects gaps of the package in %s',
  { tags: 'faults' },
  async (place) => {
    const dependencies = { viem: '2.57.1', ws: '^8.18.0', '@latchkey/protocol': '1.0.0' }
    const incomplete = { ...manifest, keywords: [], dependencies, optionalDependencies: { litesvm: '1.4.1' } }
    expect(await problemsOf({ ...built, 'package.json': JSON.stringify(incomplete) }, place)).toEqual([
      `${place} has no keywords in its package.json`,
      `${place} depends on viem 2.57.1: use a range (^), so that apps get no second copy`,
      `${place} depends on litesvm 1.4.1: use a range (^), so that apps get no second copy`,
    ])
  },
)

test("rejects types that don't resolve", { tags: 'faults' }, async () => {
  expect(await problemsOf({ ...built, 'dist/index.d.ts': `export { a } from './gone.js'\n` })).toEqual([
    expect.stringMatching(/Internal resolution error.*"node16".*gone\.js/),
    expect.stringMatching(/Internal resolution error.*"bundler".*gone\.js/),
  ])
})

test('finds files and folders that are one where file systems ignore case', () => {
  expect(findCaseCollisions(['dist/Legal.js', 'dist/legal.js', 'dist/Views/a.js', 'dist/views/b.js', 'a.js'])).toEqual([
    'dist/Legal.js and dist/legal.js',
    'dist/Views and dist/views',
  ])
})
