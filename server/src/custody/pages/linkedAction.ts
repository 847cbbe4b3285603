import type { FastifyInstance } from 'fastify'
import { linkFields } from './confirmationForm.ts'
import { serverMessages } from '../../messages/generated/index.ts'
import { escapeHtml } from '../../kit/http/escapeHtml.ts'
import { linkPage, linkPageHeaders, paragraph } from './linkPage.ts'
import { parseShortTexts, registerFormRoutes } from './registerFormRoutes.ts'

/** A link of a mail. The button on its page performs an action, once. */
export type LinkedAction = {
  readonly path: `/${string}`
  readonly title: string
  /** Explains what the button does. */
  readonly description: string
  readonly button: string
  readonly done: string
  /** True if the link can still be used. Opening it changes nothing, because mail systems open links. */
  isValid(link: { id: string; secret: string }): Promise<boolean>
  /** @returns false if the link could not be used any more */
  perform(link: { id: string; secret: string }): Promise<boolean>
}

const { linkPage: texts } = serverMessages.english

/** Serves the page of a link. */
export function serveLinkedAction(
  app: FastifyInstance,
  { path, title, description, button, done, isValid, perform }: LinkedAction,
): void {
  const over = linkPage(texts.expiredTitle, paragraph(texts.expired))
  app.get(path, async ({ query }, reply) => {
    const { id, secret } = parseShortTexts(query, ['id', 'secret'])
    const page = linkPage(
      title,
      `${paragraph(description)}
      <form method="post">
        ${linkFields({ id, secret })}
        <button>${escapeHtml(button)}</button>
      </form>`,
    )
    return reply.headers(linkPageHeaders()).send((await isValid({ id, secret })) ? page : over)
  })
  registerFormRoutes(app, (forms) => {
    forms.post(path, async ({ body }, reply) => {
      const isDone = await perform(parseShortTexts(body, ['id', 'secret']))
      return reply.headers(linkPageHeaders()).send(isDone ? linkPage(done, paragraph(texts.close)) : over)
    })
  })
}
