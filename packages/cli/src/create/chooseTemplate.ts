import { isCancel, select } from '@clack/prompts'
import { configError } from '@latchkey/protocol'
import { templates, type Template } from './createProject.ts'

const labels: Readonly<Record<Template, string>> = {
  vite: 'React with Vite',
  next: 'Next.js, with sign-in',
  vue: 'Vue with Vite',
  vanilla: 'no framework',
  wagmi: 'React with wagmi',
  solana: 'React with Solana',
  multichain: 'React with Ethereum, Solana, Bitcoin and Polkadot',
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
