// One file for all paths: Next.js may load a module once per route, and the sessions are in the memory of a module.
import { NextResponse, type NextRequest } from 'next/server'
import { cookieNames, cookieOptions } from '@/server/cookies.ts'
import { createNonce, findSessions, signIn, signOut } from '@/server/signIn.ts'

const maxBodyBytes = 64_000
const headers = { 'cache-control': 'no-store' }

type Context = { params: Promise<{ path: string[] }> }

export async function GET(request: NextRequest, { params }: Context) {
  const sessions = findSessions(request.cookies.get(cookieNames.session)?.value)
  switch ((await params).path.join('/')) {
    case 'sign-in/nonce': {
      const nonce = createNonce()
      const response = NextResponse.json({ nonce }, { headers })
      response.cookies.set(cookieNames.nonce, nonce, cookieOptions)
      return response
    }
    case 'sign-in/session':
      return NextResponse.json({ sessions }, { headers })
    // A route for signed-in users.
    case 'greeting': {
      const [session] = sessions
      if (session === undefined) return NextResponse.json({ reason: 'not-signed-in' }, { status: 401, headers })
      return new NextResponse(`Signed in as ${session.data.accountAddress}`, { headers })
    }
    default:
      return notFound()
  }
}

export async function POST(request: NextRequest, { params }: Context) {
  if ((await params).path.join('/') !== 'sign-in/verify') return notFound()
  const text = await readBody(request)
  if (text === undefined) return NextResponse.json({ reason: 'too-large' }, { status: 413, headers })
  const nonce = request.cookies.get(cookieNames.nonce)?.value
  const result = await signIn(parseJson(text), nonce, request.cookies.get(cookieNames.session)?.value)
  const response = result.valid
    ? NextResponse.json({}, { headers })
    : NextResponse.json({ reason: result.reason }, { status: 401, headers })
  response.cookies.set(cookieNames.nonce, '', { ...cookieOptions, maxAge: 0 })
  if (result.valid) response.cookies.set(cookieNames.session, result.sessionId, cookieOptions)
  return response
}

export async function DELETE(request: NextRequest, { params }: Context) {
  if ((await params).path.join('/') !== 'sign-in/session') return notFound()
  signOut(request.cookies.get(cookieNames.session)?.value, Object.fromEntries(request.nextUrl.searchParams))
  return new NextResponse(null, { status: 204, headers })
}

function notFound() {
  return NextResponse.json({ reason: 'not-found' }, { status: 404, headers })
}

/** Reads the body of a request. Returns `undefined` if it is too large. */
async function readBody(request: NextRequest) {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
