import { join } from 'node:path'
import { formatCode, formatTable } from './formatTable.ts'
import { readMembers } from './readMembers.ts'

/** Renders the reference page of all views of the modal from the type that declares them. */
export async function viewsPage(root: string): Promise<string> {
  const views = await readMembers(join(root, 'packages/modal/src/navigation/views.ts'), 'Views')
  const rows = views.map(({ name, type, description }) => [
    formatCode(name),
    type === 'object' ? '' : formatCode(type),
    description,
  ])
  return `# Views of the modal

The names of all views with their parameters. Events and \`openModal\` use them. [Pictures of the main views](/views).

${formatTable(['view', 'parameters', 'purpose'], rows)}
`
}
