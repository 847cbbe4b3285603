import type { MarkdownRenderer } from 'vitepress'

/** The rules of markdown-it that differ from VitePress's own. */
export function configureMarkdown({ renderer, utils }: MarkdownRenderer): void {
  // Vue would evaluate double braces in inline code, which messages contain.
  renderer.rules['code_inline'] = (tokens, index, _options, _env, self) => {
    const token = tokens[index]
    if (token === undefined) return ''
    return `<code v-pre${self.renderAttrs(token)}>${utils.escapeHtml(token.content)}</code>`
  }
  // A strict content security policy ignores style attributes.
  renderer.rules['th_open'] = renderer.rules['td_open'] = (tokens, index, options, _env, self) => {
    const token = tokens[index]
    const alignment = /text-align:(\w+)/.exec(String(token?.attrGet('style') ?? ''))?.[1]
    if (token !== undefined && alignment !== undefined) token.attrs = [['class', `cell-${alignment}`]]
    return self.renderToken(tokens, index, options)
  }
}
