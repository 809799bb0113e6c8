(function() {
	// recorder/own.ts
	var { apply, construct } = Reflect;
	var { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf, setPrototypeOf } = Object;
	/** A method as a function whose first argument is its receiver. */
	var free = (method) => (self, ...all) => apply(method, self, all);
	var accessor = (owner, name) => getOwnPropertyDescriptor(owner.prototype, name) ?? {};
	var getter = (owner, name) => {
		const get = accessor(owner, name).get;
		return (self) => apply(get, self, []);
	};
	var sliceText = free(String.prototype.slice);
	var codeAt = free(String.prototype.charCodeAt);
	var find = free(String.prototype.indexOf);
	var findLast = free(String.prototype.lastIndexOf);
	var lower = free(String.prototype.toLowerCase);
	var upper = free(String.prototype.toUpperCase);
	var execute = RegExp.prototype.exec;
	var control = /[\0-\t\x0b-\x1f]/;
	/** Has characters below the space, other than line ends. */
	var hasControls = (text) => apply(execute, control, [text]) !== null;
	var textOf = String;
	var errorOf = Error;
	var TypeErrorOf = TypeError;
	var captureStack = Error.captureStackTrace;
	var NumberOf = Number;
	var property = Reflect.get;
	var DateOf = Date;
	var ProxyOf = Proxy;
	var PromiseOf = Promise;
	var fulfil = Promise.resolve.bind(Promise);
	var refuse = Promise.reject.bind(Promise);
	var report = window.reportError.bind(window);
	var Channel = MessageChannel;
	var parse = JSON.parse;
	var wallNow = Date.now;
	var now = performance.now.bind(performance);
	var then = free(Promise.prototype.then);
	var listen = EventTarget.prototype.addEventListener;
	var unlisten = EventTarget.prototype.removeEventListener;
	var equip = (table, from) => {
		table.get = from.get;
		table.set = from.set;
		table.has = from.has;
		table.delete = from.delete;
		return table;
	};
	var MapOf = Map;
	var WeakMapOf = WeakMap;
	var mapMethods = { ...methods(Map) };
	var weakMethods = { ...methods(WeakMap) };
	function methods(of) {
		const { get, set, has, delete: remove } = of.prototype;
		return {
			get,
			set,
			has,
			delete: remove
		};
	}
	var table = () => equip(new MapOf(), mapMethods);
	var weakTable = () => equip(new WeakMapOf(), weakMethods);
	var connected = getter(Node, "isConnected");
	var parentOf = getter(Node, "parentNode");
	var childrenOf = getter(Node, "childNodes");
	var kindOf = getter(Node, "nodeType");
	var nameOf = getter(Element, "localName");
	var previous = getter(Element, "previousElementSibling");
	var next = getter(Element, "nextElementSibling");
	var attribute = free(Element.prototype.getAttribute);
	var all = (node, selector) => kindOf(node) === 1 ? apply(queryElement, node, [selector]) : kindOf(node) === 11 ? apply(queryFragment, node, [selector]) : apply(queryDocument, node, [selector]);
	var queryElement = Element.prototype.querySelectorAll;
	var queryFragment = DocumentFragment.prototype.querySelectorAll;
	var queryDocument = Document.prototype.querySelectorAll;
	var countOf = getter(NodeList, "length");
	var eventTarget = getter(Event, "target");
	var eventType = getter(Event, "type");
	var eventPath = free(Event.prototype.composedPath);
	var runningScript = getter(Document, "currentScript");
	var sourceOf = getter(HTMLScriptElement, "src");
	var baseOf = getter(Node, "baseURI");
	var URLOf = URL;
	var hrefOf = getter(URL, "href");
	var originOf = getter(URL, "origin");
	var pathOf = getter(URL, "pathname");
	var queryOf = getter(URL, "search");
	/** An address as the page's own origin has it; throws where it is none. */
	var address = (text) => {
		const url = new URLOf(text, baseOf(document));
		return originOf(url) === location.origin ? pathOf(url) + queryOf(url) : hrefOf(url);
	};
	// recorder/core.ts
	var V8Error = errorOf;
	var clean = (text, most) => {
		if (!hasControls(text)) return text.length <= most ? text : sliceText(text, 0, most);
		let out = "", from = 0;
		const end = text.length < most ? text.length : most;
		for (let i = 0; i < end; i++) {
			const code = codeAt(text, i);
			if (code < 32 && code !== 10) {
				out += sliceText(text, from, i) + " ";
				from = i + 1;
			}
		}
		return out + sliceText(text, from, end);
	};
	var Core = class {
		config;
		text = "";
		dropped = 0;
		depth = 0;
		open = null;
		closing = 0;
		counts = table();
		ids = weakTable();
		idCount = 0;
		said = table();
		post;
		listeners = weakTable();
		waiting = [];
		heldCount = 0;
		startWall = wallNow();
		start = now();
		time = 0;
		looks = 0;
		say = null;
		saidTo = 0;
		told = false;
		touched = false;
		released = 0;
		asked = 0;
		answering = "";
		deliverXhr = () => false;
		constructor(config) {
			this.config = config;
			const channel = new Channel();
			channel.port1.onmessage = () => {
				if (--this.closing === 0 && this.depth === 0) this.close();
			};
			const send = channel.port2.postMessage;
			this.post = () => apply(send, channel.port2, [0]);
		}
		id(object, prefix) {
			let id = this.ids.get(object);
			if (!id) this.ids.set(object, id = prefix + ++this.idCount);
			return id;
		}
		/** A name for what nobody looks up again. */
		fresh(prefix) {
			return prefix + ++this.idCount;
		}
		known(object) {
			return this.ids.has(object);
		}
		ordinal(base) {
			const count = (this.counts.get(base) ?? 0) + 1;
			this.counts.set(base, count);
			return count;
		}
		get label() {
			return this.open ? this.open.label : "";
		}
		get type() {
			return this.open ? this.open.type : "";
		}
		isOpen(key) {
			return this.open !== null && this.open.key === key;
		}
		get inside() {
			return this.depth > 0;
		}
		place() {
			if (++this.looks > 2e4) return "";
			const limit = V8Error.stackTraceLimit;
			const prepare = V8Error.prepareStackTrace;
			const holder = { stack: "" };
			try {
				V8Error.stackTraceLimit = 14;
				V8Error.prepareStackTrace = void 0;
				captureStack(holder);
				return firstPlace(textOf(holder.stack));
			} catch {
				return "";
			} finally {
				V8Error.stackTraceLimit = limit;
				V8Error.prepareStackTrace = prepare;
			}
		}
		/** False inside another callback: what happens then is part of that one. */
		begin(key, base, ordinal, cause, head, listener = "", type = "") {
			if (this.open && this.open.key === key) {
				if (listener !== this.open.listener) this.open.several = true;
				return true;
			}
			if (this.depth > 0) return false;
			this.close();
			if (find(base, "response ") !== 0) this.answering = "";
			const label = base + " #" + ordinal;
			this.open = {
				key,
				head,
				body: "",
				label,
				listener,
				several: false,
				raised: null,
				type,
				told: false
			};
			head[1] = label;
			head[2] = cause;
			this.closing++;
			this.post();
			if (this.say) this.tell();
			return true;
		}
		close() {
			const open = this.open;
			if (!open) return;
			this.tell();
			this.open = null;
			this.put(open.raised ? [
				"x",
				open.raised[0],
				open.raised[1]
			] : ["e"]);
			if (this.say) this.hand();
		}
		/** The open callback and what it has done so far go to the log; only while the page is left is that before its end. */
		tell() {
			const open = this.open;
			if (!open) return;
			if (!open.told) {
				if (open.several) {
					for (let i = 0; i < open.head.length; i++) if (open.listener && open.head[i] === "o" + open.listener + ":web.Listener") open.head[i] = "0";
				}
				this.put(open.head);
				open.told = true;
			}
			this.text += open.body;
			open.body = "";
			if (this.say) this.hand();
		}
		/** Nobody may come to ask any more: from now on everything goes out as it happens. */
		leave(say) {
			this.say = say;
			this.tell();
			this.hand();
		}
		hand() {
			if (!this.say || this.saidTo > 5e6) return;
			const whole = this.text, part = 3e4;
			this.text = "";
			this.saidTo += whole.length;
			for (let at = 0; at < whole.length; at += part) this.say(sliceText(whole, at, at + part));
		}
		/** Runs what a callback consists of; its exceptions go on. */
		run(work, self, all) {
			this.depth++;
			try {
				return apply(work, self, all);
			} catch (error) {
				if (this.depth === 1 && this.open) this.open.raised = describe(error);
				throw error;
			} finally {
				this.depth--;
			}
		}
		/** The recorder's own work on behalf of the page: what the platform calls back meanwhile is not new. */
		quietly(work) {
			this.depth++;
			try {
				return work();
			} finally {
				this.depth--;
			}
		}
		put(fields) {
			if (!this.told) {
				this.told = true;
				this.text = "p";
			}
			if (this.text.length > this.config.most) {
				this.dropped++;
				return;
			}
			this.text += join(fields);
		}
		call(kind, owner, method, values, extra = [], place = this.place()) {
			if (!this.open) this.anonymous(place);
			const open = this.open;
			if (!open) return;
			if (open.body.length > this.config.most) {
				this.dropped++;
				return;
			}
			const fields = [
				kind,
				owner,
				method,
				place,
				textOf(values.length)
			];
			for (let i = 0; i < values.length; i++) fields[fields.length] = values[i];
			for (let i = 0; i < extra.length; i++) fields[fields.length] = extra[i];
			open.body += join(fields);
			if (this.say) this.tell();
		}
		anonymous(place) {
			const script = runningScript(document);
			const source = script ? sourceOrNone(script) : "";
			const base = script ? "script " + (source ? shortPlace(source) : "inline") : "task " + (place || "unknown");
			const key = script ?? {}, ordinal = this.ordinal(base);
			this.begin(key, base, ordinal, "", [
				"b",
				"",
				"",
				"web.Document",
				script && !this.touched ? "void script(String)" : "void task(String)",
				"0",
				"2",
				"od1:web.Document",
				"s" + base + " #" + ordinal
			]);
		}
		failure(kind, error, fallback) {
			const told = describe(error, fallback);
			const fields = [
				"f",
				kind,
				told[0],
				told[1],
				told[2]
			];
			if (this.open) this.open.body += join(fields);
			else this.put(fields);
			if (this.say) {
				this.tell();
				this.hand();
			}
		}
		unseen(what) {
			if (this.said.has(what)) return;
			this.said.set(what, true);
			this.put(["u", what]);
		}
		hold(entry) {
			const held = {
				...entry,
				id: ++this.heldCount,
				state: 0,
				at: this.time,
				after: this.heldCount
			};
			this.waiting[this.waiting.length] = held;
			return held;
		}
		drop(held) {
			const left = [];
			for (let i = 0; i < this.waiting.length; i++) if (this.waiting[i] !== held) left[left.length] = this.waiting[i];
			this.waiting = left;
		}
		/** "id label cause kind delay due blocked": blocked names a timer that the platform would run first. */
		pending() {
			let out = "";
			const limit = this.waiting.length < 2e3 ? this.waiting.length : 2e3;
			for (let i = 0; i < limit; i++) {
				const one = this.waiting[i];
				if (one.state) continue;
				let blocked = "";
				if (one.kind === "timer") for (let j = 0; j < limit && !blocked; j++) {
					const other = this.waiting[j];
					if (other !== one && !other.state && other.kind === "timer" && other.after < one.after && other.delay <= one.delay) blocked = other.label;
				}
				out += join([
					textOf(one.id),
					one.label,
					one.cause,
					one.kind,
					textOf(one.delay),
					textOf(one.due),
					blocked
				]);
			}
			return out;
		}
		/** Lets one go, in a task of its own. */
		release(id, later) {
			for (let i = 0; i < this.waiting.length; i++) {
				const one = this.waiting[i];
				if (one.id !== id || one.state) continue;
				if (one.due > this.time) this.time = one.due;
				one.state = 1;
				later(() => {
					this.released++;
					if (one.repeats !== void 0) {
						one.due = this.time + one.repeats;
						one.state = 0;
					} else this.drop(one);
					one.run();
				}, 0);
				return ++this.asked;
			}
			return null;
		}
		/** What was logged and not taken, at most about this many characters, cut between records. */
		take(limit) {
			this.looks = 0;
			if (this.depth === 0) this.close();
			if (this.dropped) {
				this.text += join(["d", textOf(this.dropped)]);
				this.dropped = 0;
			}
			if (this.text.length <= limit) {
				const whole = this.text;
				this.text = "";
				return whole;
			}
			let end = findLast(this.text, "", limit);
			if (end < 0) end = find(this.text, "");
			const part = sliceText(this.text, 0, end + 1);
			this.text = sliceText(this.text, end + 1);
			return part;
		}
	};
	var join = (fields) => {
		let line = fields[0];
		for (let i = 1; i < fields.length; i++) line += "" + clean(fields[i], i < 3 ? 500 : 4e3);
		return line + "";
	};
	var describe = (error, fallback = "") => {
		try {
			const one = error;
			if (one !== null && typeof one === "object") return [
				textOf(one.name ?? "Error"),
				textOf(one.message ?? fallback),
				textOf(one.stack ?? "")
			];
			return [
				"Error",
				error === void 0 ? fallback : textOf(error),
				""
			];
		} catch {
			return [
				"Error",
				fallback,
				""
			];
		}
	};
	var sourceOrNone = (script) => {
		try {
			return sourceOf(script);
		} catch {
			return "";
		}
	};
	/** "http://host/dir/app.js:40:9" as "app.js:40". */
	var shortPlace = (address) => {
		let text = address;
		const query = find(text, "?");
		if (query >= 0) text = sliceText(text, 0, query);
		return sliceText(text, findLast(text, "/") + 1) || "page";
	};
	var firstPlace = (stack) => {
		let from = find(stack, "\n");
		while (from >= 0) {
			let end = find(stack, "\n", from + 1);
			if (end < 0) end = stack.length;
			const line = sliceText(stack, from + 1, end);
			from = end < stack.length ? end : -1;
			if (find(line, "://") < 0 || find(line, "tactus-recorder") >= 0) continue;
			let place = line;
			const bracket = findLast(place, "(");
			if (bracket >= 0) place = sliceText(place, bracket + 1);
			const closed = find(place, ")");
			if (closed >= 0) place = sliceText(place, 0, closed);
			const column = findLast(place, ":");
			const row = findLast(place, ":", column - 1);
			const number = sliceText(place, row + 1, column);
			const short = shortPlace(sliceText(place, 0, row));
			return number.length < 2 && number <= "3" ? short + ":" + number + ":" + sliceText(place, column + 1) : short + ":" + number;
		}
		return "";
	};
	// recorder/locate.ts
	var written = (id) => {
		let digits = 0;
		for (let i = 0; i < id.length; i++) {
			const code = codeAt(id, i);
			if (code >= 48 && code <= 57) digits++;
			if (code === 39 || code < 33) return false;
		}
		return id.length > 0 && id.length < 60 && digits < 4;
	};
	var locate = (target) => {
		if (target === window) return "window";
		const node = target;
		try {
			if (kindOf(node) === 9) return "document";
		} catch {
			return "object";
		}
		let at = kindOf(node) === 1 ? node : parentOf(node);
		let path = "";
		while (at && kindOf(at) === 1) {
			const element = at, name = nameOf(element), id = attribute(element, "id");
			if (id && written(id)) return "//" + name + "[@id='" + id + "']" + path;
			if (name === "body" || name === "html") return path ? "/" + path : "//" + name;
			let before = 0, after = 0;
			for (let one = previous(element); one; one = previous(one)) if (nameOf(one) === name) before++;
			for (let one = next(element); one && !after; one = next(one)) if (nameOf(one) === name) after++;
			path = "/" + name + (before || after ? "[" + (before + 1) + "]" : "") + path;
			at = parentOf(at);
		}
		return "/" + path;
	};
	// recorder/requests.ts
	var named = (method, address$1) => {
		let path = address$1;
		try {
			path = address(address$1);
		} catch {}
		let short = "", digits = 0;
		for (let i = 0; i < path.length && i < 300; i++) {
			const code = codeAt(path, i);
			digits = code >= 48 && code <= 57 ? digits + 1 : 0;
			short += path[i];
			if (digits === 10) short = sliceText(short, 0, short.length - 10) + "N";
			else if (digits > 10) short = sliceText(short, 0, short.length - 1);
		}
		const query = find(short, "?");
		return [upper(method) + " " + short, upper(method) + " " + (query < 0 ? short : sliceText(short, 0, query))];
	};
	var hash = (text) => {
		let value = 7;
		for (let i = 0; i < text.length && i < 4e3; i++) value = value * 31 + codeAt(text, i) | 0;
		return textOf(value >>> 0);
	};
	var install$4 = (core) => {
		let earlier = [];
		const send = (method, address, body) => {
			const both = named(method, address), full = both[0], endpoint = both[1];
			const base = "response " + full;
			const request = {
				id: "",
				base,
				ordinal: core.ordinal(base),
				cause: "",
				done: false,
				sent: true,
				aborted: false,
				held: null,
				key: {},
				calls: []
			};
			request.id = core.id(request, "r");
			const self = "o" + request.id + ":web.Request";
			const safe = find(endpoint, "GET ") === 0 || find(endpoint, "HEAD ") === 0 || find(endpoint, "OPTIONS ") === 0;
			const what = safe ? endpoint : endpoint + " " + hash(typeof body === "string" ? body : "");
			core.call("c", "web.Request", safe ? "void load(String)" : core.type === "submit" ? "void submit(String)" : "void send(String)", [self, "s" + what]);
			for (let i = 0; i < earlier.length; i++) if (earlier[i].endpoint === endpoint && earlier[i].full !== full) core.call("c", "web.Request", "void follows(web.Request)", [self, "o" + earlier[i].id + ":web.Request"]);
			const kept = [];
			let same = 0;
			for (let i = earlier.length - 1; i >= 0 && kept.length < 99; i--) if (earlier[i].endpoint !== endpoint || ++same < 3) kept[kept.length] = earlier[i];
			earlier = [{
				endpoint,
				full,
				id: request.id
			}];
			for (let i = 0; i < kept.length; i++) earlier[i + 1] = kept[kept.length - 1 - i];
			request.cause = core.label;
			return request;
		};
		const enter = (request) => {
			request.done = true;
			core.answering = request.id;
			return core.begin(request.key, request.base, request.ordinal, request.cause, [
				"b",
				"",
				"",
				"web.Request",
				"void response()",
				"0",
				"1",
				"o" + request.id + ":web.Request"
			]);
		};
		const abort = (request) => core.call("c", "web.Request", request.done ? "void abortSpent()" : "void abort()", ["o" + request.id + ":web.Request"]);
		const deliver = (request, work) => {
			if (!core.config.held) {
				enter(request);
				core.quietly(work);
				return;
			}
			request.held = core.hold({
				kind: "response",
				label: request.base + " #" + request.ordinal,
				cause: request.cause,
				delay: 0,
				due: core.time,
				run: () => {
					enter(request);
					core.quietly(work);
				}
			});
		};
		fetches(core, send, abort, deliver);
		xhr(core, send, abort, enter);
	};
	var fetches = (core, send, abort, deliver) => {
		const page = window;
		const realFetch = page.fetch;
		if (!realFetch) return;
		const signals = weakTable();
		const bytes = free(Response.prototype.arrayBuffer), clone = free(Response.prototype.clone);
		const headers = getter(Response, "headers"), header = free(Headers.prototype.get), bodyOf = getter(Response, "body");
		const used = getter(Response, "bodyUsed");
		const decoder = new TextDecoder(), decode = decoder.decode.bind(decoder);
		const BlobOf = Blob, RequestOf = window.Request, requestUrl = getter(Request, "url"), requestMethod = getter(Request, "method"), requestSignal = getter(Request, "signal");
		const reasonOf = getter(AbortSignal, "reason");
		const equip = (response, body, type) => {
			const reader = (make) => function() {
				if (used(response) || taken) return refuse(new TypeErrorOf("Failed to execute on 'Response': body stream already read"));
				taken = true;
				bytes(response);
				try {
					return fulfil(make());
				} catch (error) {
					return refuse(error);
				}
			};
			let taken = false;
			const own = response;
			own.json = reader(() => parse(decode(body)));
			own.text = reader(() => decode(body));
			own.arrayBuffer = reader(() => body);
			own.blob = reader(() => new BlobOf([body], { type }));
		};
		const whole = (response) => {
			try {
				const type = textOf(header(headers(response), "content-type") ?? ""), length = header(headers(response), "content-length");
				if (!bodyOf(response) || find(type, "event-stream") >= 0 || find(type, "ndjson") >= 0) return null;
				if (length !== null && NumberOf(length) > 16e6) return null;
				return then(bytes(clone(response)), (body) => equip(response, body, type), () => void 0);
			} catch {
				return null;
			}
		};
		page.fetch = function(...all) {
			const asked = all[0], init = all[1];
			const isRequest = asked instanceof RequestOf;
			const request = send(textOf(init?.method ?? (isRequest ? requestMethod(asked) : "GET")), isRequest ? requestUrl(asked) : textOf(asked), init?.body);
			const signal = init?.signal ?? (isRequest ? requestSignal(asked) : null);
			if (signal && typeof signal === "object") {
				const list = signals.get(signal) ?? [];
				if (!list.length) signals.set(signal, list);
				list[list.length] = request;
			}
			let real;
			try {
				real = apply(realFetch, this ?? window, all);
			} catch (error) {
				real = refuse(error);
			}
			let good = () => void 0, bad = () => void 0;
			const promise = new PromiseOf((resolve, reject) => {
				good = resolve;
				bad = reject;
			});
			request.refuse = (reason) => bad(reason);
			then(real, (response) => {
				const body = whole(response);
				const arrived = () => {
					if (!request.aborted) deliver(request, () => good(response));
				};
				if (body) then(body, arrived);
				else arrived();
			}, (error) => {
				if (request.aborted) bad(error);
				else deliver(request, () => bad(error));
			});
			return promise;
		};
		const controllerSignal = getter(AbortController, "signal");
		const realAbort = AbortController.prototype.abort;
		AbortController.prototype.abort = function(...all) {
			const signal = controllerSignal(this);
			const list = signals.get(signal) ?? [];
			for (let i = 0; i < list.length; i++) if (!list[i].aborted) {
				abort(list[i]);
				list[i].aborted = !list[i].done;
			}
			const result = apply(realAbort, this, all);
			for (let i = 0; i < list.length; i++) if (list[i].aborted && !list[i].done) {
				list[i].done = true;
				const held = list[i].held;
				if (held) core.drop(held);
				list[i].refuse(reasonOf(signal));
			}
			return result;
		};
	};
	/** What XMLHttpRequest listeners ask: whose response an event belongs to. */
	var requestOf = weakTable();
	var xhr = (core, send, abort, enter) => {
		const shape = XMLHttpRequest.prototype;
		const realOpen = shape.open, realSend = shape.send, realAbort = shape.abort;
		const state = getter(XMLHttpRequest, "readyState");
		const asked = weakTable();
		shape.open = function(...all) {
			asked.set(this, [
				textOf(all[0]),
				textOf(all[1]),
				all.length < 3 || !!all[2]
			]);
			return apply(realOpen, this, all);
		};
		shape.send = function(...all) {
			const how = asked.get(this) ?? [
				"GET",
				"",
				true
			];
			if (!how[2]) return apply(realSend, this, all);
			try {
				if (state(this) !== 1) throw 0;
			} catch {
				core.call("t", "web.Request", "void send(String)", ["o" + core.id(this, "x") + ":web.Request", "s"], ["InvalidStateError", "send before open"]);
				return apply(realSend, this, all);
			}
			requestOf.set(this, send(how[0], how[1], all[0]));
			return apply(realSend, this, all);
		};
		shape.abort = function() {
			const request = requestOf.get(this);
			if (request && !request.aborted) {
				abort(request);
				request.aborted = true;
				if (request.held) core.drop(request.held);
			}
			return apply(realAbort, this, []);
		};
		core.deliverXhr = (target, work) => {
			const request = requestOf.get(target);
			if (!request || request.aborted || state(target) !== 4) return false;
			if (!core.config.held) {
				if (!enter(request)) return false;
				work();
				return true;
			}
			request.calls[request.calls.length] = work;
			if (!request.held) request.held = core.hold({
				kind: "response",
				label: request.base + " #" + request.ordinal,
				cause: request.cause,
				delay: 0,
				due: core.time,
				run: () => {
					for (let i = 0; i < request.calls.length; i++) {
						enter(request);
						try {
							request.calls[i]();
						} catch (error) {
							report(error);
						}
					}
				}
			});
			return true;
		};
	};
	// recorder/events.ts
	var messages = " message messageerror open close storage ";
	/** The other end of a port, where both were made in this page. */
	var peers = weakTable();
	/** Sockets, streams and such ports come into being by a call; other ports and windows come from elsewhere. */
	var channelOf = (source, target) => source === "socket" ? "web.Socket" : source === "stream" ? "web.Stream" : source === "port" && peers.has(target) ? "web.Port" : "web.Channel";
	var own = weakTable();
	var install$3 = (core, inserted) => {
		const deliveries = weakTable();
		const places = weakTable();
		const registration = (target, type, listener) => {
			const all = places.get(target) ?? { __proto__: null }, key = type + " " + core.id(listener, "f");
			places.set(target, all);
			return all[key] ?? (all[key] = { ways: 0 });
		};
		const listenerId = (target, type, listener) => core.id(registration(target, type, listener), "l");
		const change = (target, type, listener, way, adds) => {
			const one = registration(target, type, listener), before = one.ways;
			one.ways = adds ? before | way : before & ~way;
			const method = adds ? "addEventListener" : before !== 0 && one.ways === 0 ? "removeEventListener" : "removeEventListenerSpent";
			core.call("c", "web.EventTarget", "void " + method + "(String,web.Listener)", [
				"o" + core.id(target, isNode(target) ? "n" : "w") + ":web.EventTarget",
				"s" + type,
				"o" + core.id(one, "l") + ":web.Listener"
			]);
		};
		const isNode = (target) => {
			try {
				return kindOf(target) > 0;
			} catch {
				return false;
			}
		};
		const sockets = (target) => target instanceof PortOf ? "port" : target instanceof SocketOf ? "socket" : target instanceof SourceOf ? "stream" : target === window ? "window" : "";
		const PortOf = MessagePort, SocketOf = WebSocket, SourceOf = EventSource, RequestOf = XMLHttpRequest;
		/** at: where the listener listens, which need not be where the event is. */
		const enter = (event, at, listener) => {
			const target = eventTarget(event), type = eventType(event);
			const base = type + " " + locate(target);
			const id = listenerId(at, type, listener);
			if (core.isOpen(event)) return core.begin(event, "", 0, "", [], id);
			if (core.inside) return false;
			const node = isNode(target) && kindOf(target) === 1;
			const owner = node ? "web.Element" : "web.Target";
			if (event.isTrusted && node) core.touched = true;
			const prefix = node ? "n" : "w";
			return core.begin(event, base, core.ordinal(base), event.isTrusted ? "" : core.label, [
				"b",
				"",
				"",
				owner,
				"void event(String,web.Listener)",
				(event.isTrusted ? "u" : "") + (node && inserted(target) ? "i" : ""),
				"3",
				"o" + core.id(target, prefix) + ":" + owner,
				"s" + type,
				"o" + id + ":web.Listener"
			], id, type);
		};
		const message = (event, target, at, listener, work) => {
			const source = sockets(target), type = eventType(event);
			const base = "message " + source + (type === "message" ? "" : " " + type), className = channelOf(source, target);
			const start = () => {
				const id = listenerId(at, type, listener);
				if (!core.isOpen(event)) core.begin(event, base, ordinals.get(event) ?? core.ordinal(base), "", [
					"b",
					"",
					"",
					className,
					"void deliver(String,web.Listener)",
					"",
					"3",
					"o" + core.id(target, "w") + ":" + className,
					"s" + type,
					"o" + id + ":web.Listener"
				], id, type);
				return work();
			};
			if (!core.config.held || own.has(event)) return start();
			const list = deliveries.get(event);
			if (list) {
				list[list.length] = start;
				return;
			}
			const calls = [start];
			deliveries.set(event, calls);
			const ordinal = core.ordinal(base);
			ordinals.set(event, ordinal);
			core.hold({
				kind: "message",
				label: base + " #" + ordinal,
				cause: "",
				delay: 0,
				due: core.time,
				run: () => {
					own.set(event, true);
					for (let i = 0; i < calls.length; i++) try {
						calls[i]();
					} catch (error) {
						report(error);
					}
				}
			});
		};
		const ordinals = weakTable();
		const invoke = (self, listener, all) => {
			const event = all[0];
			const work = () => {
				const handle = typeof listener === "function" ? listener : listener.handleEvent;
				return core.run(handle, typeof listener === "function" ? self : listener, all);
			};
			let type = "";
			try {
				type = eventType(event);
			} catch {
				return work();
			}
			if (self instanceof RequestOf) {
				if (!requestOf.has(self)) return work();
				let result;
				return core.deliverXhr(self, () => {
					result = work();
				}) ? result : core.quietly(work);
			}
			const target = eventTarget(event);
			if (!target) return work();
			const source = sockets(target);
			if (source && (source === "stream" || find(messages, " " + type + " ") >= 0) && event.isTrusted) return message(event, target, self, listener, work);
			if (!event.isTrusted && core.label) return core.quietly(work);
			enter(event, self, listener);
			return work();
		};
		const wrappers = core.listeners;
		const wrapper = (listener) => {
			let wrapped = wrappers.get(listener);
			if (!wrapped) wrappers.set(listener, wrapped = function(...all) {
				return invoke(this ?? window, listener, all);
			});
			return wrapped;
		};
		const BUBBLING = 1, CAPTURING = 2, PROPERTY = 4;
		const way = (options) => options === true || typeof options === "object" && options !== null && options.capture ? CAPTURING : BUBBLING;
		const shape = EventTarget.prototype;
		shape.addEventListener = function(type, listener, ...rest) {
			const self = this ?? window;
			if (listener === null || typeof listener !== "object" && typeof listener !== "function") return apply(listen, self, [
				type,
				listener,
				rest[0]
			]);
			const result = apply(listen, self, [
				type,
				wrapper(listener),
				rest[0]
			]);
			change(self, textOf(type), listener, way(rest[0]), true);
			return result;
		};
		shape.removeEventListener = function(type, listener, ...rest) {
			const self = this ?? window;
			if (listener === null || typeof listener !== "object" && typeof listener !== "function") return apply(unlisten, self, [
				type,
				listener,
				rest[0]
			]);
			change(self, textOf(type), listener, way(rest[0]), false);
			return apply(unlisten, self, [
				type,
				wrapper(listener),
				rest[0]
			]);
		};
		const dispatch = shape.dispatchEvent;
		shape.dispatchEvent = function(event) {
			core.call("c", "web.EventTarget", "void dispatchEvent(String)", ["o" + core.id(this ?? window, isNode(this) ? "n" : "w") + ":web.EventTarget", "s" + textOf(event?.type)]);
			return core.quietly(() => apply(dispatch, this ?? window, [event]));
		};
		properties(wrapper, (self, type, listener, adds) => change(self, type, listener, PROPERTY, adds));
		attributes(core, enter);
	};
	var properties = (wrapper, say) => {
		const back = weakTable();
		const page = window;
		const owners = [window];
		const names = [
			"HTMLElement",
			"SVGElement",
			"Document",
			"XMLHttpRequest",
			"XMLHttpRequestEventTarget",
			"WebSocket",
			"EventSource",
			"MessagePort",
			"HTMLBodyElement",
			"BroadcastChannel",
			"AbortSignal",
			"MediaQueryList",
			"FileReader",
			"IDBRequest",
			"IDBTransaction",
			"IDBOpenDBRequest",
			"Animation"
		];
		for (let i = 0; i < names.length; i++) if (page[names[i]]) owners[owners.length] = page[names[i]].prototype;
		for (let i = 0; i < owners.length; i++) {
			const all = getOwnPropertyNames(owners[i]);
			for (let j = 0; j < all.length; j++) {
				const name = all[j];
				const real = name[0] === "o" && name[1] === "n" ? getOwnPropertyDescriptor(owners[i], name) : void 0;
				if (!real || !real.set || !real.get || !real.configurable) continue;
				const { get, set } = real;
				defineProperty(owners[i], name, {
					configurable: true,
					enumerable: real.enumerable,
					get() {
						const now = apply(get, this, []);
						return now && back.get(now) || now;
					},
					set(value) {
						const before = apply(get, this, []);
						const old = before && back.get(before);
						if (old && old !== value) say(this ?? window, sliceText(name, 2), old, false);
						if (typeof value !== "function") {
							apply(set, this, [value]);
							return;
						}
						if (old !== value) say(this ?? window, sliceText(name, 2), value, true);
						const wrapped = wrapper(value);
						back.set(wrapped, value);
						apply(set, this, [wrapped]);
					}
				});
			}
		}
	};
	var attributes = (core, enter) => {
		const types = [
			"click",
			"dblclick",
			"input",
			"change",
			"submit",
			"keydown",
			"keyup",
			"keypress",
			"mousedown",
			"mouseup",
			"focus",
			"blur",
			"load",
			"toggle",
			"reset"
		];
		const keys = weakTable();
		for (let i = 0; i < types.length; i++) apply(listen, window, [
			types[i],
			(event) => {
				if (!event.isTrusted || core.inside) return;
				const path = eventPath(event);
				for (let j = 0; j < path.length && j < 64; j++) {
					let text = null;
					try {
						text = kindOf(path[j]) === 1 && connected(path[j]) ? attribute(path[j], "on" + types[i]) : null;
					} catch {
						continue;
					}
					if (text === null) continue;
					const key = keys.get(path[j]) ?? {};
					keys.set(path[j], key);
					enter(event, path[j], key);
					return;
				}
			},
			true
		]);
	};
	// recorder/nodes.ts
	var most = 2e3;
	var install$2 = (core) => {
		const state = weakTable();
		const value = (node) => "o" + core.id(node, "n") + ":" + (kind(node) === 1 ? "web.Element" : "web.Node");
		const kind = (node) => {
			try {
				return kindOf(node);
			} catch {
				return 0;
			}
		};
		const isHere = (node) => connected(node);
		const below = (node) => {
			const list = kind(node) === 11 ? [] : [node];
			if (kind(node) !== 1 && kind(node) !== 11) return list;
			const found = all(node, "*"), count = countOf(found);
			if (count > most) core.unseen("more than 2,000 elements that were put in or taken out at once");
			for (let i = 0; i < count && i < most; i++) list[list.length] = found[i];
			return list;
		};
		const inside = (node) => {
			const list = below(node), rest = [];
			for (let i = 1; i < list.length; i++) rest[i - 1] = list[i];
			return rest;
		};
		/** Of these the ones in the document: only what was in it can leave it. */
		const here = (nodes) => {
			const list = [];
			for (let i = 0; i < nodes.length; i++) if (isHere(nodes[i])) list[list.length] = nodes[i];
			return list;
		};
		const arrive = (nodes) => {
			for (let i = 0; i < nodes.length; i++) {
				if (state.get(nodes[i]) === 1 || kind(nodes[i]) !== 1 && !core.known(nodes[i]) || !isHere(nodes[i])) continue;
				state.set(nodes[i], 1);
				core.call("c", "web.Node", "void attached()", [value(nodes[i])]);
			}
		};
		const depart = (nodes) => {
			for (let i = 0; i < nodes.length; i++) {
				if (state.get(nodes[i]) === 2 || isHere(nodes[i])) continue;
				if (!core.known(nodes[i]) && kind(nodes[i]) !== 1) continue;
				state.set(nodes[i], 2);
				core.call("c", "web.Node", "void detached()", [value(nodes[i])]);
			}
		};
		const concerns = (node) => isHere(node) || state.has(node);
		const wrote = (given, what, replaces) => {
			const node = kind(given) === 3 ? parentOf(given) ?? given : given;
			if (!concerns(node)) return;
			core.call("c", "web.Node", "void write(String)", [value(node), "s" + what]);
			if (replaces && core.answering) core.call("c", "web.Node", "void show(web.Request)", [value(node), "o" + core.answering + ":web.Request"]);
		};
		const able = (node, can) => {
			if (concerns(node)) core.call("c", "web.Element", can ? "void enable()" : "void disable()", [value(node)]);
		};
		/** Replaces a method; what it does to the tree is found out by looking at the nodes before and after. */
		const method = (owner, name, touched, note) => {
			const real = owner?.prototype?.[name];
			if (typeof real !== "function") return;
			owner.prototype[name] = function(...given) {
				let nodes = [], before = [];
				try {
					nodes = touched(this, given);
					before = here(nodes);
				} catch {}
				let result;
				try {
					result = core.quietly(() => apply(real, this, given));
				} catch (error) {
					const told = describe(error);
					core.call("t", "web.Node", "void " + name + "(web.Node)", [kind(this) ? value(this) : "0", kind(given[0]) ? value(given[0]) : "0"], [told[0], told[1]]);
					throw error;
				}
				try {
					note(this, given);
					depart(before);
					arrive(nodes);
				} catch {}
				return result;
			};
		};
		const setter = (owner, name, note, tree = false) => {
			const real = owner && getOwnPropertyDescriptor(owner.prototype, name);
			if (!real?.set || !real.configurable) return;
			const set = real.set;
			defineProperty(owner.prototype, name, {
				...real,
				set(given) {
					let before = [];
					if (tree) try {
						before = kind(this) === 1 ? here(below(this)) : [];
					} catch {
						before = [];
					}
					core.quietly(() => apply(set, this, [given]));
					try {
						note(this, given);
						if (tree) {
							depart(before);
							arrive(inside(this));
						}
					} catch {}
				}
			});
		};
		const page = window;
		const subtrees = (_self, given) => {
			const list = [];
			for (let i = 0; i < given.length; i++) if (kind(given[i])) {
				const part = below(given[i]);
				for (let j = 0; j < part.length; j++) list[list.length] = part[j];
			}
			return list;
		};
		const children = (self, given) => {
			const list = subtrees(self, given), here = childrenOf(self), count = countOf(here);
			for (let i = 0; i < count; i++) {
				const part = below(here[i]);
				for (let j = 0; j < part.length; j++) list[list.length] = part[j];
			}
			return list;
		};
		const itself = (self, given) => {
			const list = subtrees(self, given), part = below(self);
			for (let j = 0; j < part.length; j++) list[list.length] = part[j];
			return list;
		};
		const grew = (self) => wrote(self, "children", false);
		const renewed = (self) => wrote(self, "children", true);
		method(page.Node, "appendChild", subtrees, grew);
		method(page.Node, "insertBefore", (self, given) => subtrees(self, [given[0]]), grew);
		method(page.Node, "replaceChild", subtrees, grew);
		method(page.Node, "removeChild", subtrees, (self, given) => {
			if (kind(given[0]) && core.known(given[0])) core.call("c", "web.Node", "void removeChild(web.Node)", [value(self), value(given[0])]);
			grew(self);
		});
		const parents = [
			"Element",
			"Document",
			"DocumentFragment"
		], kids = [
			"Element",
			"CharacterData",
			"DocumentType"
		];
		for (let i = 0; i < 3; i++) {
			method(page[parents[i]], "append", subtrees, grew);
			method(page[parents[i]], "prepend", subtrees, grew);
			method(page[parents[i]], "replaceChildren", children, renewed);
			method(page[kids[i]], "remove", itself, () => void 0);
			method(page[kids[i]], "replaceWith", itself, () => void 0);
			method(page[kids[i]], "before", subtrees, () => void 0);
			method(page[kids[i]], "after", subtrees, () => void 0);
		}
		const none = () => [];
		method(page.Element, "insertAdjacentElement", (self, given) => subtrees(self, [given[1]]), grew);
		method(page.Element, "insertAdjacentText", none, grew);
		const insertHtml = page.Element.prototype.insertAdjacentHTML;
		page.Element.prototype.insertAdjacentHTML = function(...given) {
			const result = core.quietly(() => apply(insertHtml, this, given));
			grew(this);
			const where = lower(textOf(given[0]));
			const around = where === "beforebegin" || where === "afterend" ? parentOf(this) : this;
			if (around && isHere(around)) arrive(fresh(below(around)));
			return result;
		};
		const fresh = (nodes) => {
			const list = [];
			for (let i = 0; i < nodes.length; i++) if (!core.known(nodes[i])) list[list.length] = nodes[i];
			return list;
		};
		setter(page.Element, "innerHTML", renewed, true);
		setter(page.Element, "outerHTML", (self) => wrote(self, "outerHTML", true), true);
		setter(page.Node, "textContent", (self) => wrote(self, "text", true), true);
		setter(page.HTMLElement, "innerText", (self) => wrote(self, "text", true), true);
		setter(page.Node, "nodeValue", (self) => wrote(self, "text", true));
		setter(page.CharacterData, "data", (self) => wrote(self, "text", true));
		setter(page.Element, "className", (self) => wrote(self, "class", false));
		setter(page.Element, "id", (self) => wrote(self, "id", false));
		const fields = [
			"HTMLInputElement",
			"HTMLTextAreaElement",
			"HTMLSelectElement",
			"HTMLButtonElement",
			"HTMLOptionElement",
			"HTMLFieldSetElement"
		];
		for (let i = 0; i < fields.length; i++) {
			if (i < 3) setter(page[fields[i]], "value", (self) => wrote(self, "value", true));
			if (i < 1) setter(page[fields[i]], "checked", (self) => wrote(self, "checked", true));
			setter(page[fields[i]], "disabled", (self, given) => able(self, !given));
		}
		const attribute = (self, name, there) => {
			const what = lower(textOf(name));
			if (what === "disabled") able(self, !there);
			else wrote(self, what, false);
		};
		method(page.Element, "setAttribute", none, (self, given) => attribute(self, given[0], true));
		method(page.Element, "removeAttribute", none, (self, given) => attribute(self, given[0], false));
		method(page.Element, "toggleAttribute", none, (self, given) => attribute(self, given[0], apply(hasAttribute, self, [given[0]])));
		method(page.Element, "setAttributeNS", none, (self, given) => attribute(self, given[1], true));
		const hasAttribute = page.Element.prototype.hasAttribute;
		lists(core, wrote);
		const form = page.HTMLFormElement.prototype;
		const names = [
			"submit",
			"requestSubmit",
			"reset"
		];
		for (let i = 0; i < names.length; i++) {
			const real = form[names[i]];
			if (real) form[names[i]] = function(...given) {
				core.call("c", "web.Form", "void " + names[i] + "()", [value(this)]);
				return core.quietly(() => apply(real, this, given));
			};
		}
		const focused = page.HTMLElement.prototype;
		const focusNames = [
			"focus",
			"blur",
			"click"
		];
		for (let i = 0; i < focusNames.length; i++) {
			const real = focused[focusNames[i]];
			focused[focusNames[i]] = function(...given) {
				if (concerns(this)) core.call("c", "web.Element", "void " + focusNames[i] + "()", [value(this)]);
				return core.quietly(() => apply(real, this, given));
			};
		}
		return (node) => state.has(node);
	};
	var lists = (core, wrote) => {
		const owners = weakTable();
		const real = getOwnPropertyDescriptor(Element.prototype, "classList");
		if (!real?.get) return;
		const get = real.get;
		defineProperty(Element.prototype, "classList", {
			...real,
			get() {
				const list = apply(get, this, []);
				if (list && !owners.has(list)) owners.set(list, this);
				return list;
			}
		});
		const names = [
			"add",
			"remove",
			"toggle",
			"replace"
		];
		for (let i = 0; i < names.length; i++) {
			const method = DOMTokenList.prototype[names[i]];
			DOMTokenList.prototype[names[i]] = function(...given) {
				const owner = owners.get(this);
				const result = core.quietly(() => apply(method, this, given));
				if (owner) wrote(owner, "class", false);
				return result;
			};
		}
	};
	// recorder/rest.ts
	var install$1 = (core) => {
		const page = window;
		const method = (owner, name, className, signature, values) => {
			const real = owner?.[name];
			if (typeof real !== "function") return;
			owner[name] = function(...given) {
				try {
					const result = core.quietly(() => apply(real, this, given));
					core.call("c", className, signature, values(this, given));
					return result;
				} catch (error) {
					const told = describe(error);
					core.call("t", className, signature, values(this, given), [told[0], told[1]]);
					throw error;
				}
			};
		};
		const named = (object, className) => "o" + core.id(object, "w") + ":" + className;
		const moves = [
			"pushState",
			"replaceState",
			"back",
			"forward",
			"go"
		];
		for (let i = 0; i < moves.length; i++) method(page.History?.prototype, moves[i], "web.History", "void " + moves[i] + "(String)", (self, given) => [named(self, "web.History"), "s" + textOf(i < 2 ? given[2] ?? "" : "")]);
		const keeps = ["setItem", "removeItem"];
		for (let i = 0; i < keeps.length; i++) method(page.Storage?.prototype, keeps[i], "web.Storage", "void " + keeps[i] + "(String)", (self, given) => [named(self, "web.Storage"), "s" + textOf(given[0])]);
		method(page.Storage?.prototype, "clear", "web.Storage", "void clear()", (self) => [named(self, "web.Storage")]);
		const channels = [["WebSocket", "web.Socket"], ["EventSource", "web.Stream"]];
		for (let i = 0; i < channels.length; i++) {
			const name = channels[i][0], className = channels[i][1], Real = page[name];
			if (!Real) continue;
			method(Real.prototype, "send", className, "void send()", (self) => [named(self, className)]);
			method(Real.prototype, "close", className, "void close()", (self) => [named(self, className)]);
			page[name] = new ProxyOf(Real, { construct: (target, all, self) => {
				const made = construct(target, all, self);
				core.call("c", className, "void connect()", [named(made, className)]);
				return made;
			} });
		}
		const portsOf = page.MessageChannel;
		if (portsOf) {
			const first = getter(portsOf, "port1"), second = getter(portsOf, "port2"), shape = page.MessagePort.prototype, post = shape.postMessage;
			page.MessageChannel = new ProxyOf(portsOf, { construct: (target, all, self) => {
				const made = construct(target, all, self);
				peers.set(first(made), second(made));
				peers.set(second(made), first(made));
				return made;
			} });
			shape.postMessage = function(...given) {
				const other = peers.get(this);
				if (other) core.call("c", "web.Port", "void post()", [named(other, "web.Port")]);
				return apply(post, this, given);
			};
		}
		const observers = [
			"MutationObserver",
			"IntersectionObserver",
			"ResizeObserver"
		];
		for (let i = 0; i < observers.length; i++) {
			const Real = page[observers[i]];
			if (!Real) continue;
			const kind = observers[i];
			const made = function(work, ...rest) {
				const all = [typeof work === "function" ? function(...told) {
					if (kind !== "MutationObserver" || !core.label) {
						const base = "observer " + kind;
						core.begin({}, base, core.ordinal(base), "", [
							"b",
							"",
							"",
							"web.Observer",
							"void notify()",
							"",
							"1",
							named(this, "web.Observer")
						]);
					}
					return core.run(work, this, told);
				} : work];
				for (let j = 0; j < rest.length; j++) all[j + 1] = rest[j];
				return construct(Real, all, new.target === made ? Real : new.target);
			};
			made.prototype = Real.prototype;
			page[kind] = made;
			Real.prototype.constructor = made;
		}
		if (page.Worker) {
			const RealWorker = page.Worker;
			page.Worker = new ProxyOf(RealWorker, { construct: (target, all, self) => {
				core.unseen("workers");
				return construct(target, all, self);
			} });
		}
		apply(listen, window, ["error", (event) => {
			if (event.error || event.message) core.failure("uncaught", event.error, event.message);
		}]);
		apply(listen, window, ["unhandledrejection", (event) => core.failure("rejection", event.reason, "unhandled rejection")]);
		const real = console.error;
		console.error = function(...words) {
			let text = "", cause;
			for (let i = 0; i < words.length; i++) {
				if (words[i] instanceof errorOf) cause = words[i];
				try {
					text += (i ? " " : "") + textOf(words[i]);
				} catch {
					text += " ?";
				}
			}
			const holder = {
				name: "console.error",
				message: text,
				stack: ""
			};
			try {
				captureStack(holder);
			} catch {}
			core.failure("reported", cause ?? holder, text);
			return apply(real, this, words);
		};
	};
	// recorder/timers.ts
	var kinds = [
		{
			set: "setTimeout",
			clear: "clearTimeout",
			owner: "web.Timer",
			kind: "timer",
			repeats: false,
			timed: true
		},
		{
			set: "setInterval",
			clear: "clearInterval",
			owner: "web.Interval",
			kind: "interval",
			repeats: true,
			timed: true
		},
		{
			set: "requestAnimationFrame",
			clear: "cancelAnimationFrame",
			owner: "web.Frame",
			kind: "frame",
			repeats: false,
			timed: false
		},
		{
			set: "requestIdleCallback",
			clear: "cancelIdleCallback",
			owner: "web.Idle",
			kind: "idle",
			repeats: false,
			timed: false
		}
	];
	var install = (core) => {
		const held = core.config.held;
		const timers = table();
		const others = [table(), table()];
		let number = 0;
		for (let k = 0; k < kinds.length; k++) {
			const { set, clear, owner, kind, repeats, timed } = kinds[k];
			const page = window;
			const realSet = page[set], realClear = page[clear];
			if (!realSet) continue;
			const known = timed ? timers : others[k - 2];
			page[set] = function(work, ...rest) {
				if (typeof work !== "function") {
					if (timed) core.unseen("timers whose work is given as a text");
					const all = [work];
					for (let i = 0; i < rest.length; i++) all[i + 1] = rest[i];
					return apply(realSet, window, all);
				}
				let delay = timed ? NumberOf(rest[0]) || 0 : kind === "frame" ? 16 : 50;
				if (delay < 0) delay = 0;
				const given = [];
				for (let i = 1; timed && i < rest.length; i++) given[given.length] = rest[i];
				const timer = {
					id: core.fresh("t"),
					live: true,
					held: null,
					owner
				};
				const place = core.place();
				const base = kind + " " + (place || "unknown"), ordinal = core.ordinal(base);
				core.call("c", owner, "void set(int)", ["o" + timer.id + ":" + owner, "i" + textOf(delay)], [], place);
				const cause = core.label;
				let fired = 0;
				const fire = (self, all) => {
					if (!repeats) timer.live = false;
					fired++;
					return core.begin({}, base, ordinal, cause, [
						"b",
						"",
						"",
						owner,
						"void fire()",
						"0",
						"1",
						"o" + timer.id + ":" + owner
					]) || core.inside ? core.run(work, self, all) : apply(work, self, all);
				};
				if (!held) {
					const all = [function(...told) {
						return fire(this, timed ? given : told);
					}];
					for (let i = 0; i < rest.length && (i < 1 || !timed); i++) all[all.length] = rest[i];
					const id = apply(realSet, window, all);
					known.set(id, timer);
					return id;
				}
				const id = ++number;
				known.set(id, timer);
				timer.held = core.hold({
					kind,
					label: base + " #" + ordinal,
					cause,
					delay,
					due: core.time + delay,
					repeats: repeats ? delay || 4 : void 0,
					run: () => fire(window, timed ? given : kind === "frame" ? [core.time] : [{
						didTimeout: false,
						timeRemaining: () => 10
					}])
				});
				return id;
			};
			page[clear] = function(id) {
				const timer = known.get(id);
				const live = timer && timer.live;
				if (timer) core.call("c", timer.owner, live ? "void clear()" : "void clearSpent()", ["o" + timer.id + ":" + timer.owner]);
				if (timer) {
					timer.live = false;
					if (timer.held) core.drop(timer.held);
				}
				return held ? void 0 : apply(realClear, window, [id]);
			};
		}
		if (held) time(core);
	};
	var time = (core) => {
		const page = window;
		const from = core.startWall, origin = now();
		const current = () => from + core.time;
		page.Date = new ProxyOf(DateOf, {
			construct: (target, all, made) => construct(target, all.length ? all : [current()], made === page.Date ? target : made),
			apply: () => textOf(new DateOf(current())),
			get: (target, name, self) => name === "now" ? current : property(target, name, self === page.Date ? target : self)
		});
		DateOf.prototype.constructor = page.Date;
		performance.now = () => origin + core.time;
	};
	// recorder/main.ts
	var name = "__tactusRecorder";
	/** The recorder of the frame around this one, where it may be looked at. */
	var around = () => {
		try {
			return window.parent !== window ? window.parent[name]?.core ?? null : null;
		} catch {
			return null;
		}
	};
	var begin = (config) => {
		const page = window;
		if (page[name]) return;
		const later = page.setTimeout;
		const shared = around();
		const core = shared ?? new Core(config);
		const say = console.debug.bind(console);
		install(core);
		install$4(core);
		install$3(core, install$2(core));
		install$1(core);
		defineProperty(page, name, {
			value: {
				core,
				take: (limit) => core.take(limit),
				pending: () => core.pending(),
				release: (id) => core.release(id, (work, delay) => apply(later, window, [work, delay])),
				released: () => core.released
			},
			enumerable: false,
			configurable: false,
			writable: false
		});
		page.__tactus?.renew();
		if (shared) return;
		apply(listen, window, ["beforeunload", () => core.leave((text) => say("tactus-recorder:" + text))]);
	};
	begin(TACTUS_CONFIG);
})();
