import { expect, test } from 'vitest'
import { listRepositoryFiles } from '../lib/gateInputs.mjs'
import { root } from '../lib/root.mjs'
import { areas } from './areas.mjs'
import { findUnmatchedGlobs, matchGlobs } from './findUnmatchedGlobs.mjs'

test('each glob of an area of mutation testing names a file', async () => {
  expect(findUnmatchedGlobs(areas, await listRepositoryFiles(root))).toEqual([])
})

test('a glob that names no file is reported with its area, and an exclusion is not', () => {
  const area = {
    name: 'page',
    mutate: ['src/page/visitor.ts', 'src/page/*.ts', 'src/**/*.ts', '!src/page/*.faults.ts'],
    tests: ['src/page/*.test.ts'],
  }
  expect(findUnmatchedGlobs([area], ['src/page/session.ts', 'src/other/page.test.ts'])).toEqual([
    'The glob src/page/visitor.ts of the area page matches no file.',
    'The glob src/page/*.test.ts of the area page matches no file.',
  ])
})

test('a star stays within a folder, two stars cross folders, and dots match only dots', () => {
  const find = (glob: string, path: string) => findUnmatchedGlobs([{ name: 'a', mutate: [glob], tests: [] }], [path])
  expect(find('src/*.ts', 'src/page/session.ts')).toHaveLength(1)
  expect(find('src/**/*.ts', 'src/page/session.ts')).toEqual([])
  expect(find('src/**/*.ts', 'src/session.ts')).toEqual([])
  expect(find('src/a.ts', 'src/abts')).toHaveLength(1)
})

test('an excluded path is not one of the matches, which are in alphabetical order', () => {
  const paths = ['src/b.ts', 'src/page/a.test.ts', 'src/page/a.ts', 'other/a.ts']
  expect(matchGlobs(['src/page/*.ts', 'src/*.ts', '!src/**/*.test.ts'], paths)).toEqual(['src/b.ts', 'src/page/a.ts'])
})
