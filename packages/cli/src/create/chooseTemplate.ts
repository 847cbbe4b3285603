import { isCancel, select } from '@clack/prompts'
import { configError } from '@latchkey/protocol'
import { templates, type Template } from './createProject.ts'

const labels: Readonly<Record<Template, string>> = {
  vite: 'React with Vite',
  vanilla: 'no framework',
  vue: 'Vue with Vite',
  wagmi: 'React with wagmi',
  express: 'sign-in server with Express',
  fastify: 'sign-in server with Fastify',
  hono: 'sign-in server with Hono',
}

/** Asks which template to use. */
export async function chooseTemplate(): Promise<Template> {
  const options = templates.map((value) => ({ value, label: labels[value] }))
  const chosen = await select({ message: 'Which template?', options })
  if (isCancel(chosen)) throw configError('config/invalid', { problems: ['no template was chosen'] })
  return chosen
}
