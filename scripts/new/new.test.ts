import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../lib/root.mjs'
import { generators } from '../new.mjs'

const run = promisify(execFile)
const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' }

const requests = [
  ['view', ['account/GiftCard'], 5],
  ['endpoint', ['gasForecasts'], 3],
  ['language', ['pl'], 2],
  ['error', ['core', 'name/frozen', 'The name is frozen. Choose another one.'], 2],
  ['package', ['ledger', 'Latchkey connector for Ledger devices.'], 8],
  ['adapter', ['cosmos'], 10],
] as const

/** The files that each generator created or changed. */
const changed = new Map<string, readonly string[]>()

/** A copy of the repository, whose packages link to each other and to the installed dependencies. */
let copy: string

beforeAll(async () => {
  copy = await realpath(await mkdtemp(join(tmpdir(), 'latchkey-new-')))
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 16e6,
  })
  const paths = stdout.split('\0').filter((path) => path !== '')
  for (const folder of new Set(paths.map((path) => dirname(path)))) await mkdir(join(copy, folder), { recursive: true })
  // The index can contain files that were deleted from the working tree.
  await Promise.all(paths.map((path) => cp(join(root, path), join(copy, path)).catch(() => undefined)))
  await linkModules()
  // Created here, so that each test can run alone.
  for (const [kind, [name, ...rest]] of requests) {
    changed.set(kind, (await generators[kind]?.create(copy, name, ...rest)) ?? [])
  }
})

afterAll(() => rm(copy, { recursive: true }))

async function linkModules(): Promise<void> {
  const modules = await readdir(join(root, 'node_modules'))
  await mkdir(join(copy, 'node_modules/@latchkey'), { recursive: true })
  const linked = modules.filter((name) => name !== '@latchkey' && !name.startsWith('.vite'))
  await Promise.all(linked.map((name) => symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name))))
  for (const name of await readdir(join(copy, 'packages'))) await linkWorkspace(`packages/${name}`, name)
  for (const name of ['server', 'devnet', 'faults']) await linkWorkspace(name, name)
  for (const name of await readdir(join(copy, 'apps'))) await linkWorkspace(`apps/${name}`, `app-${name}`)
}

async function linkWorkspace(folder: string, name: string): Promise<void> {
  await symlink(join(copy, folder), join(copy, 'node_modules/@latchkey', name))
  const own = join(root, folder, 'node_modules')
  if (existsSync(own)) await symlink(own, join(copy, folder, 'node_modules'))
}

async function runNode(...args: string[]): Promise<string> {
  const result = await run(process.execPath, args, { cwd: copy, maxBuffer: 64e6, env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return `${result.stdout}${result.stderr}`
}

test.each(requests)('npm run new %s changes as few files as documented', (kind, _words, count) => {
  expect(changed.get(kind)).toHaveLength(count)
})

test('creating a file that exists fails', async () => {
  await expect(generators['package']?.create(copy, 'ledger')).rejects.toThrow(
    'packages/ledger/package.json exists already.',
  )
  await expect(generators['view']?.create(copy, 'gift-card')).rejects.toThrow('Write it like account/GiftCard.')
})

test('all created files compile, and their tests pass', { tags: 'faults' }, async () => {
  for (const name of ['ledger', 'cosmos']) await linkWorkspace(`packages/${name}`, name)
  await runNode('scripts/messages.mjs')
  await runNode('scripts/architecture.mjs')
  // Only these files and what they import, because `npm run check` has compiled the others.
  const files = [...changed.values()].flat().filter((path) => /\.tsx?$/.test(path))
  await writeFile(
    join(copy, 'tsconfig.new.json'),
    JSON.stringify({ extends: './tsconfig.check.json', include: [], files }),
  )
  // The copy has no build, so that all packages are read from their sources.
  const options = ['-p', 'tsconfig.new.json', '--customConditions', 'source', '--pretty', 'false']
  expect(await runNode('node_modules/ts7/bin/tsc', ...options)).toBe('')
  expect(await runNode('scripts/checks/check-docs.mjs')).toBe('')
  expect(await runNode('scripts/checks/check-layers.mjs')).toBe('')
  const created = ['packages/ledger', 'packages/cosmos', 'server/src/api/gasForecasts']
  expect(
    await runNode('node_modules/vitest/vitest.mjs', 'run', '--project', 'server', '--project', 'packages', ...created),
  ).toMatch(/Tests +4 passed/)
})

test('the test of the created view passes in a browser', { tags: 'faults' }, async () => {
  await runNode('scripts/messages.mjs')
  const view = 'packages/react/src/modal/views/account/giftCard'
  expect(await runNode('node_modules/vitest/vitest.mjs', 'run', '--project', 'browser', view)).toMatch(
    /Tests +1 passed/,
  )
})
