import { assertName, changeJson, createFile, insertBefore, toCamelCase } from './files.mjs'

const views = 'packages/react/src/modal/views'

/**
 * Creates a view of the modal: its component, its test, its name and parameters, its chunk and its English messages.
 *
 * @param {string} folder the repository
 * @param {string} path the flow that it belongs to and its name, for example `account/GiftCard`
 * @returns {Promise<string[]>} the changed files: five
 */
export async function createView(folder, path) {
  assertName(path, /^[a-z][A-Za-z]*\/[A-Z][A-Za-z]+$/, 'account/GiftCard')
  const [flow = '', name = ''] = path.split('/')
  const key = toCamelCase(name)
  const base = `${views}/${flow}/${key}/${name}View`
  return [
    await createFile(folder, `${base}.tsx`, formatComponent(name, key)),
    await createFile(folder, `${base}.test.tsx`, componentTest(name)),
    await insertBefore(folder, 'packages/modal/src/navigation/views.ts', /^}/m, `  ${name}: object\n`),
    await insertBefore(
      folder,
      `${views}/index.ts`,
      /^}/m,
      `  ${name}: () => import('./${flow}/${key}/${name}View.tsx'),\n`,
    ),
    await changeJson(folder, 'packages/modal/messages/en.json', (messages) => {
      messages[key] = { title: name.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`), done: 'Done' }
    }),
  ]
}

/**
 * @param {string} name
 * @param {string} key
 */
function formatComponent(name, key) {
  return `import { goBack } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'

/** Describe the view: what the user does here. */
export default function ${name}View(): ReactElement {
  const latchkey = useLatchkey()
  const { ${key}: messages } = useModalMessages()
  return (
    <button type="button" className="button" data-primary="" part="primary" onClick={() => goBack(latchkey)}>
      {messages.done}
    </button>
  )
}
`
}

/** @param {string} name */
function componentTest(name) {
  return `import { fakeWorld } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { renderModal } from '../../../../testing/renderModal.tsx'

test('${name} shows its action', async () => {
  const screen = await renderModal(fakeWorld().latchkey, { view: '${name}', params: {} })
  await expect.element(screen.getByRole('button', { name: 'Done' })).toBeVisible()
})
`
}
