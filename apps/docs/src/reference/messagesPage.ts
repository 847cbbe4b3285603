import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatCode, formatTable } from './formatTable.ts'

/** The page of all texts of the modal, read from the English messages. */
export async function messagesPage(root: string): Promise<string> {
  const messages: unknown = JSON.parse(await readFile(join(root, 'packages/modal/messages/en.json'), 'utf8'))
  const groups = entriesOf(messages).map(([group, texts]) => {
    const rows = listTexts('', texts).map(([key, text]) => [formatCode(key), formatCode(text)])
    return `## ${formatCode(group)}\n\n${formatTable(['text', 'English'], rows)}`
  })
  return `# Texts of the modal

All texts by group and name, in English, as ICU messages. The prop \`strings\` of \`LatchkeyProvider\` replaces single ones;
[languages](/languages) says how.

${groups.join('\n\n')}
`
}

function listTexts(prefix: string, value: unknown): ReadonlyArray<readonly [string, string]> {
  if (typeof value === 'string') return [[prefix, value]]
  return entriesOf(value).flatMap(([key, inner]) => listTexts(prefix === '' ? key : `${prefix}.${key}`, inner))
}

function entriesOf(value: unknown): ReadonlyArray<[string, unknown]> {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
