import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describeNode } from './readMembers.ts'

/** The page of all React hooks, read from their doc comments. */
export async function hooksPage(root: string): Promise<string> {
  const index = join(root, 'packages/react/src/index.ts')
  const hooks = await listHooks(index)
  const parts = await Promise.all(
    hooks.map(async ({ name, file }) => formatHook(name, await readDeclaration(file, name))),
  )
  return `# All hooks

Every hook of \`@latchkey/react\`, generated from its source. [Hooks](/hooks) explains what they have in common, with examples. The
[composables of \`@latchkey/vue\`](/packages/vue) have the same names, except \`useTheme\`. They return refs.

${parts.join('\n\n')}
`
}

/** A hook's declaration: its documentation, parameters and result. */
type Declaration = { description: string; signature: string; example: string }

/** The hooks that an index exports, in alphabetical order, with the files that declare them. */
async function listHooks(index: string): Promise<ReadonlyArray<{ name: string; file: string }>> {
  const tree = ts.createSourceFile(index, await readFile(index, 'utf8'), ts.ScriptTarget.Latest, true)
  return tree.statements
    .filter(ts.isExportDeclaration)
    .flatMap(({ exportClause, moduleSpecifier }) => {
      if (exportClause === undefined || !ts.isNamedExports(exportClause)) return []
      if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return []
      const file = join(dirname(index), moduleSpecifier.text)
      return exportClause.elements.map(({ name }) => ({ name: name.text, file }))
    })
    .filter(({ name }) => /^use[A-Z]/.test(name))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

async function readDeclaration(file: string, name: string): Promise<Declaration> {
  const tree = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const declaration = tree.statements.filter(ts.isFunctionDeclaration).findLast((node) => node.name?.text === name)
  if (declaration === undefined) throw new Error(`${file} does not declare ${name}.`)
  // The doc comment belongs to the first overload.
  const first = tree.statements.filter(ts.isFunctionDeclaration).find((node) => node.name?.text === name) ?? declaration
  const example = ts
    .getJSDocTags(first)
    .filter(({ tagName }) => tagName.text === 'example')
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
  const parameters = first.parameters.map((parameter) => parameter.getText(tree)).join(', ')
  return {
    description: describeNode(first),
    signature: `${name}(${parameters})${first.type === undefined ? '' : `: ${first.type.getText(tree)}`}`,
    example: example.join('\n').trim(),
  }
}

function formatHook(name: string, { description, signature, example }: Declaration): string {
  const code = example === '' ? signature : `${example}\n\n// ${signature.replaceAll(/\s+/g, ' ')}`
  return `## \`${name}\`\n\n${description}\n\n\`\`\`tsx\n${code}\n\`\`\``
}
