import type { FastifyInstance } from 'fastify'
import { parseActionLinkFacts, requestFactList } from './actionLink.ts'
import { linkFields } from './confirmationForm.ts'
import type { RequestFacts } from '../../messages/formatRequest.ts'
import type { ServerWords } from '../../messages/loadServerWords.ts'
import { escapeHtml } from '../../kit/http/escapeHtml.ts'
import { linkPage, linkPageHeaders, formatParagraph } from './linkPage.ts'
import { pageWords } from './pageWords.ts'
import { parseShortTexts, registerFormRoutes } from './registerFormRoutes.ts'

/** The texts of a link's page: `text` explains what the button does. */
export type LinkedActionTexts = Pick<ServerWords['stopPage'], 'title' | 'text' | 'confirm' | 'done'>

/** A link of a mail. The button on its page performs an action, once. */
export type LinkedAction = {
  readonly path: `/${string}`
  /** The texts of the page. */
  texts(words: ServerWords): LinkedActionTexts
  /** True if the link can still be used. Opening it changes nothing, because mail systems open links. */
  isValid(link: { id: string; secret: string }): Promise<boolean>
  /** @returns false if the link was no longer usable */
  perform(link: { id: string; secret: string }): Promise<boolean>
}

/** Serves the page of a link. */
export function serveLinkedAction(app: FastifyInstance, { path, texts, isValid, perform }: LinkedAction): void {
  app.get(path, async ({ query, raw }, reply) => {
    const link = parseShortTexts(query, ['id', 'secret'])
    const words = await pageWords(raw)
    const page = (await isValid(link))
      ? promptPage(words, texts(words), { ...link, facts: parseActionLinkFacts(query) })
      : expiredPage(words)
    return reply.headers(linkPageHeaders()).send(page)
  })
  registerFormRoutes(app, (forms) => {
    forms.post(path, async ({ body, raw }, reply) => {
      const words = await pageWords(raw)
      const isDone = await perform(parseShortTexts(body, ['id', 'secret']))
      const page = isDone
        ? linkPage(words, texts(words).done, formatParagraph(words.linkPage.close))
        : expiredPage(words)
      return reply.headers(linkPageHeaders()).send(page)
    })
  })
}

function promptPage(
  words: ServerWords,
  texts: LinkedActionTexts,
  { facts, ...link }: { id: string; secret: string; facts: RequestFacts | undefined },
): string {
  return linkPage(
    words,
    texts.title,
    `${formatParagraph(texts.text)}
      ${facts === undefined ? '' : requestFactList(words, facts)}
      <form method="post">
        ${linkFields(link)}
        <button>${escapeHtml(texts.confirm)}</button>
      </form>`,
  )
}

function expiredPage(words: ServerWords): string {
  return linkPage(words, words.linkPage.expiredTitle, formatParagraph(words.linkPage.expired))
}
