import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkShape, findCaseCollisions } from './check-shape.mjs'

const manifest = {
  name: '@latchkey/a',
  version: '1.0.0',
  license: 'MIT',
  type: 'module',
  files: ['dist'],
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
}

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-shape-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files })) {
    const target = join(folder, 'packages/a', path)
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

test("rejects types that don't resolve", { tags: 'faults' }, async () => {
  expect(await problemsOf({ ...built, 'dist/index.d.ts': `export { a } from './gone.js'\n` })).toEqual([
    expect.stringContaining('Import found in a type declaration file failed to resolve'),
  ])
})

test('finds files and folders that are one where file systems ignore case', () => {
  expect(findCaseCollisions(['dist/Legal.js', 'dist/legal.js', 'dist/Views/a.js', 'dist/views/b.js', 'a.js'])).toEqual([
    'dist/Legal.js and dist/legal.js',
    'dist/Views and dist/views',
  ])
})
