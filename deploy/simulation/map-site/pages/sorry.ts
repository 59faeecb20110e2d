import { htmlReply, type Reply } from '../exchange.ts'
import { escapeHtml } from './html.ts'

export function sorryPage(target: string, address: string, status = 429): Reply {
  return htmlReply(
    `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"><meta name="viewport" content="initial-scale=1"><title>${escapeHtml(target)}</title></head>
<body style="font-family: arial, sans-serif; background-color: #fff; color: #000; padding:20px; font-size:18px;" onload="e=document.getElementById('captcha');if(e){e.focus();}">
<div style="max-width:400px;">
<hr noshade size="1" style="color:#ccc; background-color:#ccc;"><br>
<form id="captcha-form" action="index" method="post">
<noscript><div style="font-size:13px;"> In order to continue, please enable javascript on your web browser.</div></noscript>
<script>var submitCallback = function (response) { document.getElementById('captcha-form').submit(); };</script>
<div id="recaptcha" class="g-recaptcha" data-sitekey="6LfwuyUTAAAAAOAmoS0fdqijC2PbbdH4kjq62Y1b" data-callback="submitCallback" data-s="s"></div>
<input type='hidden' name='q' value='EgR_AAAB'><input type="hidden" name="continue" value="${escapeHtml(target)}">
</form>
<hr noshade size="1" style="color:#ccc; background-color:#ccc;">
<div style="font-size:13px; line-break: anywhere;"><b>About this page</b><br><br>
Our systems have detected unusual traffic from your computer network. This page checks to see if it&#39;s really you sending the requests, and not a robot. <a href="#" onclick="document.getElementById('infoDiv').style.display='block' ;">Why did this happen?</a><br><br>
IP address: ${escapeHtml(address)}</div>
</div></body></html>`,
    status,
  )
}

/** Returns a page of under 2,000 bytes that redirects to the captcha page, with status 200. */
export const sorryStub = (sorryAddress: string): Reply =>
  htmlReply(
    `<HTML><HEAD><meta http-equiv="content-type" content="text/html;charset=utf-8"><meta http-equiv="refresh" content="0;url=${escapeHtml(sorryAddress)}"><TITLE>302 Moved</TITLE></HEAD><BODY><H1>302 Moved</H1>The document has moved <A HREF="${escapeHtml(sorryAddress)}">here</A>.</BODY></HTML>`,
  )

const RETRY = '/httpservice/retry/enablejs?sei=Zk3RaMbNDO2Vxc8P1eXpuAM'

/** Returns the page for clients without scripts, with status 200. `signal`: the variant of pages without results. */
export const noScriptPage = (signal: boolean): Reply =>
  htmlReply(
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Google Search</title><style>body{background-color:#fff}</style><script>window.google={};(function(){${signal ? "var emsg='SG_REL';" : ''}})();</script></head><body><noscript><style>table,div,span,p{display:none}</style><meta content="0;url=${RETRY}" http-equiv="refresh"><div style="display:block">Please click <a href="${RETRY}">here</a> if you are not redirected within a few seconds.</div></noscript>${'<!-- -->'.repeat(300)}</body></html>`,
  )
