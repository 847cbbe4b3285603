import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createSbom } from '../../server/scripts/createSbom.mjs'
import { root } from '../lib/root.mjs'

const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Parameters<typeof createSbom>[0]

type Component = ReturnType<typeof createSbom>['components'][number]

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`)

test('the list has each runtime dependency of the server in the installed version', async () => {
  const { dependencies = {}, optionalDependencies = {} } = lockfile.packages['server'] ?? {}
  const { components } = createSbom(lockfile, 'server')
  const versions = new Map(components.map((component) => [nameOf(component), component.version]))
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  expect(names).toContain('viem')
  for (const name of names) {
    const installed = [`server/node_modules/${name}`, `node_modules/${name}`].find((path) => path in lockfile.packages)
    const { resolved = installed, link, version } = lockfile.packages[installed ?? ''] ?? {}
    expect([name, versions.get(name)]).toEqual([name, link ? lockfile.packages[resolved ?? '']?.version : version])
  }
})

test('the list has their dependencies with hashes and licences, and nothing of tests and apps', () => {
  const { components, dependencies } = createSbom(lockfile, 'server')
  const names = components.map(nameOf)
  expect(names).toEqual(expect.arrayContaining(['pg-protocol', 'pino', '@noble/hashes']))
  for (const name of ['vitest', 'typescript', 'react', '@latchkey/devnet']) expect(names).not.toContain(name)
  const others = components.filter((component) => !nameOf(component).startsWith('@latchkey/'))
  expect(others.filter(({ hashes, licenses }) => hashes === undefined || licenses === undefined)).toEqual([])
  // Each reference leads to one component, or to the server itself.
  const references = components.map((component) => component['bom-ref'])
  expect(new Set(references).size).toBe(references.length)
  const server = dependencies.map(({ ref }) => ref).filter((ref) => !references.includes(ref))
  expect(server).toEqual(['pkg:npm/%40latchkey/server@0.1.0'])
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !references.includes(ref))).toEqual([])
})

test('a nested version is the one that its parent loads, and an optional package is marked', () => {
  const packages = {
    server: { name: 'server', version: '1.0.0', dependencies: { a: '1', b: '1' } },
    'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { c: '2' }, peerDependencies: { d: '1' } },
    'node_modules/a/node_modules/c': { version: '2.0.0', license: '(MIT OR ISC)' },
    'node_modules/b': {
      version: '1.0.0',
      dependencies: { c: '1' },
      optionalDependencies: { e: '1', missing: '1' },
      peerDependencies: { f: '1' },
      peerDependenciesMeta: { f: { optional: true } },
    },
    ...Object.fromEntries(['c', 'd', 'e', 'f', 'g'].map((name) => [`node_modules/${name}`, { version: '1.0.0' }])),
  }
  const { components } = createSbom({ packages }, 'server')
  expect(components.map(({ purl, scope }) => `${purl} ${scope}`)).toEqual([
    'pkg:npm/a@1.0.0 required',
    'pkg:npm/b@1.0.0 required',
    'pkg:npm/c@1.0.0 required',
    'pkg:npm/c@2.0.0 required',
    'pkg:npm/d@1.0.0 required',
    'pkg:npm/e@1.0.0 optional',
  ])
  expect(components.find(({ version }) => version === '2.0.0')?.licenses).toEqual([{ expression: '(MIT OR ISC)' }])
})

test('the command writes the same file each time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-sbom-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = [join(folder, 'one/sbom.json'), join(folder, 'other/sbom.json')]
  for (const file of files) {
    await promisify(execFile)(process.execPath, [join(root, 'server/scripts/createSbom.mjs'), file])
  }
  const [one, other] = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  expect(one).toBe(other)
  expect(JSON.parse(one ?? '')).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' })
})
