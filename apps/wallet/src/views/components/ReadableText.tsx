import { readablePieces } from '../../text/readablePieces.ts'

/** Untrusted text, isolated from the text around it, with hidden characters made visible. */
export function ReadableText({ text }: { text: string }) {
  return (
    <bdi className="readable" dir="auto">
      {readablePieces(text).map((piece) =>
        piece.kind === 'text' ? (
          piece.text
        ) : (
          <span key={piece.at} className="mark" title={piece.name}>
            {piece.codePoint}
            <span className="spoken"> {piece.name} </span>
          </span>
        ),
      )}
    </bdi>
  )
}
