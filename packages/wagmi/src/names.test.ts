import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..')
const readText = (path: string): string => readFileSync(join(folder, path), 'utf8')
const { exports: entries } = JSON.parse(readText('package.json')) as { exports: Record<string, unknown> }

type Name = { readonly name: string; readonly verdict: string; readonly reason: string }
type Group = { readonly title: string; readonly names: readonly Name[] }

/** Reads the tables below "All names" of a document. */
function readGroups(document: string): Group[] {
  const [, tables = ''] = readText(`../../docs/${document}`).split('\n## All names\n')
  return tables
    .split('\n### ')
    .slice(1)
    .map((text) => ({ title: text.split('\n')[0] ?? '', names: text.split('\n').flatMap(readRow) }))
}

function readRow(line: string): Name[] {
  const [, names, verdict = '', reason = ''] = line.split('|').map((cell) => cell.trim())
  return [...(names ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, verdict, reason }))
}

/** Lists the names that an entry exports, as its report states. */
function listExports(report: string): string[] {
  return [...report.matchAll(/^export (?:(?:const|function|type) (\w+)|\{ (?:type )?(\w+) \})/gm)].map(
    ([, declared, listed]) => declared ?? listed ?? '',
  )
}

function readSources(path: string): string {
  return readdirSync(join(folder, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => readText(`${path}/${name}`))
    .join('\n')
}

const kits = [
  { kit: 'rainbowkit', original: '@rainbow-me/rainbowkit', document: 'from-rainbowkit.md' },
  { kit: 'connectkit', original: 'connectkit', document: 'from-connectkit.md' },
].map((each) => ({ ...each, groups: readGroups(each.document) }))

describe.each(kits)('the names of $document', ({ kit, original, groups }) => {
  const report = readText(`api/wagmi-${kit}.api.md`)
  const exported = listExports(report)
  const words = new Set(`${report}\n${readSources(`src/${kit}`)}\n${readSources('src/kit')}`.match(/[\w-]+/g))

  test('the exports of the entry are those that are not absent', () => {
    const names = groups.find(({ title }) => title === 'Exports')?.names ?? []
    const present = names.filter(({ verdict }) => verdict !== 'absent').map(({ name }) => name)
    const namespaces = report.includes('declare namespace Types') ? ['Types'] : []
    expect(present.toSorted()).toEqual([...new Set([...exported, ...namespaces])].toSorted())
    const absent = names.filter(({ verdict }) => verdict === 'absent')
    expect(absent.filter(({ name }) => exported.includes(name))).toEqual([])
  })

  test('each package is an entry, unless it is absent', () => {
    const names = groups.find(({ title }) => title === 'Packages')?.names ?? []
    const isEntry = ({ name }: Name): boolean => name.replace(original, `./${kit}`) in entries
    expect(names.filter((each) => isEntry(each) === (each.verdict === 'absent'))).toEqual([])
    expect(names.length).toBeGreaterThan(1)
  })

  test('each other name is part of the entry, unless it is absent', () => {
    const others = groups.filter(({ title }) => !['Exports', 'Packages'].includes(title)).flatMap(({ names }) => names)
    expect(others.filter(({ name, verdict }) => words.has(name) === (verdict === 'absent'))).toEqual([])
    expect(others.length).toBeGreaterThan(40)
  })

  test('each verdict is known, each difference has a reason, and no name appears twice in a table', () => {
    const all = groups.flatMap(({ names }) => names)
    const verdicts = new Set(all.map(({ verdict }) => verdict))
    expect([...verdicts].toSorted()).toEqual(['absent', 'added', 'different', 'same'])
    expect(all.filter(({ verdict, reason }) => verdict !== 'same' && reason === '')).toEqual([])
    for (const { names } of groups) expect(new Set(names.map(({ name }) => name)).size).toBe(names.length)
  })
})
