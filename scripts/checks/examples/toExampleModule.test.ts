import { expect, test } from 'vitest'
import { namesOfDocuments, toExampleModule } from './toExampleModule.mjs'

const surroundings = {
  entries: new Map([['connect', '@latchkey/core']]),
  globals: new Set(['latchkey']),
  documents: new Map([['docs/start.md', new Set(['app'])]]),
}
const toModule = (code: string, path = 'docs/start.md', isDocument = true): string =>
  toExampleModule('/repository', { code, path, isDocument, line: 1, exports: [] }, surroundings)
const importOfCore = `import { connect } from '@latchkey/core'; `

test('a code block without imports uses public names without importing them', () => {
  expect(toModule('await connect(latchkey, id)')).toContain(importOfCore)
})

test('a code block with imports has to import every public name', () => {
  const code = `import { start } from '@latchkey/core'\nawait connect(latchkey, id)`
  expect(toModule(code)).toBe(`\n${code}`)
  expect(toModule(code, 'packages/core/src/start.ts', false)).toBe(`${importOfCore}\n${code}`)
})

test('a code block uses the names that are declared for its document only', () => {
  expect(toModule('app.listen()')).toContain(`import { app } from 'docs/start.md'; `)
  expect(toModule('app.listen()', 'docs/other.md')).not.toContain('import')
})

test('a code block may declare a name that its document or a package also has', () => {
  expect(toModule('const app = connect()\nconst connect = 1')).not.toContain('import')
})

test('markup is the result of a component', () => {
  expect(toModule('const a = 1\n<p>{a}</p>\n')).toContain('const a = 1\nreturn (<><p>{a}</p>\n</>)')
})

test('the names of a document are those that its module declares', () => {
  const text = `declare module 'docs/a.md' {\n  const a: { b: string }\n  function c(): void\n}\ndeclare module 'd.md' {\n}\n`
  expect([...namesOfDocuments(text)]).toEqual([
    ['docs/a.md', new Set(['a', 'c'])],
    ['d.md', new Set()],
  ])
})
